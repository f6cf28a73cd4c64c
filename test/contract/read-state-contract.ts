import assert from 'node:assert/strict';
import { type Engine, testOn } from '../support/engines.ts';
import { createChannel, createUsers, openFounded, send, subscribe, unsubscribe } from './fixtures.ts';

export function readStateContract(engine: Engine): void {
  const test = testOn(engine);
  test('a message is unread for its recipients and read for its sender', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const direct = await tx.conversations.ensureDirect([Ada.id, Bob.id]);
      const id = await send(tx, Ada, direct);
      const loud = await send(tx, Ada, direct, { read_by_sender: false });
      assert.deepEqual(
        await tx.readState.flagsOf(Ada.id, [id, loud]),
        new Map([
          [id, ['read']],
          [loud, []],
        ]),
      );
      assert.deepEqual(await tx.readState.flagsOf(Bob.id, [id]), new Map([[id, []]]));
      assert.deepEqual(await tx.readState.flagsOf(Bob.id, []), new Map());
      const row = { conversation_id: direct.id, mentioned: false };
      assert.deepEqual(await tx.readState.unread(Ada.id, 10), [{ ...row, id: loud }]);
      assert.deepEqual(await tx.readState.unread(Bob.id, 10), [
        { ...row, id: loud },
        { ...row, id },
      ]);
      assert.deepEqual(await tx.readState.unread(Bob.id, 1), [{ ...row, id: loud }]);
    });
  });

  test('marking as read or unread returns the messages that changed, and none when repeated', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const direct = await tx.conversations.ensureDirect([Ada.id, Bob.id]);
      const [a, b, c] = [await send(tx, Ada, direct), await send(tx, Bob, direct), await send(tx, Ada, direct)];
      assert.deepEqual(await tx.readState.markRead(Bob.id, [c, b, a]), [a, c]);
      assert.deepEqual(await tx.readState.markRead(Bob.id, [a, b, c]), []);
      assert.deepEqual(await tx.readState.markUnread(Bob.id, [b, a]), [a, b]);
      assert.deepEqual(await tx.readState.markUnread(Bob.id, [a, b]), []);
      assert.deepEqual(
        (await tx.readState.unread(Bob.id, 10)).map(({ id }) => id),
        [b, a],
      );
      assert.deepEqual(await tx.readState.markRead(Bob.id, [b]), [b]);
      assert.deepEqual(await tx.readState.markRead(Bob.id, []), []);
      assert.deepEqual(await tx.readState.markUnread(Bob.id, []), []);
      assert.deepEqual((await tx.readState.flagsOf(Ada.id, [b])).get(b), []);
    });
  });

  test('marking a range of a conversation as read changes only that range', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const channel = await createChannel(tx, 'one');
      await subscribe(tx, channel, Bob);
      const [x, y] = [
        await tx.conversations.ensureTopic(channel, 'x'),
        await tx.conversations.ensureTopic(channel, 'y'),
      ];
      const ids: number[] = [];
      for (let n = 0; n < 6; n++) {
        ids.push(await send(tx, Ada, x));
        await send(tx, Ada, y);
      }
      const [a, b, c, d, e, f] = ids as [number, number, number, number, number, number];
      await tx.readState.markRead(Bob.id, [b, c]);
      await tx.readState.markConversationsRead(Bob.id, [y.id], 10);
      await tx.readState.markRangeRead(Bob.id, { conversation_id: x.id, from_id: a, to_id: c });
      await tx.readState.markUnread(Bob.id, [a, b, c]);
      const range = { conversation_id: x.id, from_id: b, to_id: e };
      const left = async () => (await tx.readState.unread(Bob.id, 10)).map(({ id }) => id);
      assert.deepEqual(await left(), [f, e, d, c, b, a]);
      assert.deepEqual(await tx.readState.markRangeRead(Bob.id, range), [b, c, d, e]);
      assert.deepEqual(await tx.readState.markRangeRead(Bob.id, range), []);
      assert.deepEqual(await left(), [f, a]);
      assert.deepEqual(await tx.readState.markRangeRead(Bob.id, { ...range, from_id: a, to_id: a }), [a]);
      assert.deepEqual(await left(), [f]);
    });
  });

  test('marking a conversation as read up to a message changes no later message and no other conversation', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const channel = await createChannel(tx, 'one');
      await subscribe(tx, channel, Ada);
      const x = await tx.conversations.ensureTopic(channel, 'x');
      const y = await tx.conversations.ensureTopic(channel, 'y');
      const [x1, y1, x2, x3] = [
        await send(tx, Bob, x),
        await send(tx, Bob, y),
        await send(tx, Bob, x),
        await send(tx, Bob, x),
      ];
      await tx.readState.markRead(Ada.id, [x1, x3]);
      await tx.readState.markUnread(Ada.id, [x1, x3]);
      await tx.readState.markRangeRead(Ada.id, { conversation_id: x.id, from_id: x1, to_id: x2 });
      assert.deepEqual(
        (await tx.readState.unread(Ada.id, 10)).map(({ id }) => id),
        [x3, y1],
      );
    });
  });

  test('messages from before a subscription are read and historical', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const channel = await createChannel(tx, 'one');
      const topic = await tx.conversations.ensureTopic(channel, 'x');
      const before = await send(tx, Bob, topic);
      await subscribe(tx, channel, Ada);
      const during = await send(tx, Bob, topic);
      await unsubscribe(tx, channel, Ada);
      const away = await send(tx, Bob, topic);
      const flags = async () => {
        const found = await tx.readState.flagsOf(Ada.id, [before, during, away]);
        return [before, during, away].map((id) => found.get(id)?.sort());
      };
      assert.deepEqual(await flags(), [['historical', 'read'], ['read'], ['historical', 'read']]);
      assert.deepEqual(await tx.readState.unread(Ada.id, 10), []);
      await subscribe(tx, channel, Ada);
      assert.deepEqual(await flags(), [['historical', 'read'], ['read'], ['historical', 'read']]);
    });
  });

  test('unread messages of a channel are read while the user is not subscribed', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const channel = await createChannel(tx, 'one');
      await subscribe(tx, channel, Ada);
      const id = await send(tx, Bob, await tx.conversations.ensureTopic(channel, 'x'));
      assert.deepEqual((await tx.readState.flagsOf(Ada.id, [id])).get(id), []);
      await unsubscribe(tx, channel, Ada);
      assert.deepEqual((await tx.readState.flagsOf(Ada.id, [id])).get(id), ['read']);
      assert.deepEqual(await tx.readState.unread(Ada.id, 10), []);
    });
  });

  test('a subscriber can mark history as unread', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const channel = await createChannel(tx, 'one');
      const id = await send(tx, Bob, await tx.conversations.ensureTopic(channel, 'x'));
      await subscribe(tx, channel, Ada);
      assert.deepEqual(await tx.readState.markUnread(Ada.id, [id]), [id]);
      assert.deepEqual(
        (await tx.readState.unread(Ada.id, 10)).map((message) => message.id),
        [id],
      );
      assert.deepEqual(await tx.readState.markRead(Ada.id, [id]), [id]);
      assert.deepEqual(await tx.readState.unread(Ada.id, 10), []);
    });
  });

  test('unread messages of channels are returned by user and channel, up to a limit', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      const one = await createChannel(tx, 'one');
      const two = await createChannel(tx, 'two');
      await subscribe(tx, one, Ada, Bob, Cyd);
      await subscribe(tx, two, Ada);
      const [a, b] = [
        await send(tx, Bob, await tx.conversations.ensureTopic(one, 'x')),
        await send(tx, Ada, await tx.conversations.ensureTopic(one, 'y')),
      ];
      const c = await send(tx, Bob, await tx.conversations.ensureTopic(two, 'x'));
      await tx.readState.markRead(Cyd.id, [a, b]);
      const pairs = [Ada, Bob, Cyd].flatMap(({ id: user_id }) =>
        [one, two].map((channel_id) => ({ user_id, channel_id })),
      );
      const found = (await tx.readState.unreadInChannels(pairs, 3)) ?? [];
      found.sort((left, right) => left.user_id - right.user_id || left.channel_id - right.channel_id);
      assert.deepEqual(found, [
        { user_id: Ada.id, channel_id: one, message_ids: [a] },
        { user_id: Ada.id, channel_id: two, message_ids: [c] },
        { user_id: Bob.id, channel_id: one, message_ids: [b] },
      ]);
      assert.deepEqual(await tx.readState.unreadInChannels([], 1), []);
      assert.deepEqual(await tx.readState.unreadInChannels(pairs.slice(2, 3), 1), [found[2]]);
      assert.equal(await tx.readState.unreadInChannels(pairs, 2), undefined);
      assert.deepEqual(await tx.readState.markedInChannels(pairs), []);
      await tx.readState.markUnread(Cyd.id, [a]);
      const marked = [{ user_id: Cyd.id, channel_id: one, message_ids: [a] }];
      assert.deepEqual(await tx.readState.markedInChannels(pairs), marked);
      assert.deepEqual(await tx.readState.markedAmong(Cyd.id, [a, b]), [a]);
    });
  });

  test('setting and clearing flags returns the messages that changed', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const direct = await tx.conversations.ensureDirect([Ada.id, Bob.id]);
      const [a, b] = [await send(tx, Bob, direct), await send(tx, Bob, direct)];
      const { flags, readState } = tx;
      assert.deepEqual(await flags.set(Ada.id, [b, a], 'starred'), [a, b]);
      assert.deepEqual(await flags.set(Ada.id, [a, b], 'starred'), []);
      assert.deepEqual(await flags.set(Ada.id, [a], 'mentioned'), [a]);
      assert.deepEqual(await flags.set(Ada.id, [], 'collapsed'), []);
      assert.deepEqual((await readState.flagsOf(Ada.id, [a])).get(a)?.sort(), ['mentioned', 'starred']);
      assert.deepEqual((await readState.flagsOf(Bob.id, [a])).get(a), ['read']);
      assert.deepEqual(
        (await readState.unread(Ada.id, 10)).map(({ mentioned }) => mentioned),
        [false, true],
      );
      assert.deepEqual(await flags.messagesWith(Ada.id, 'starred', 10), [a, b]);
      assert.deepEqual(await flags.messagesWith(Bob.id, 'starred', 10), []);
      assert.deepEqual(await flags.clear(Ada.id, [a, b], 'mentioned'), [a]);
      assert.deepEqual(await flags.clear(Ada.id, [a, b], 'starred'), [a, b]);
      assert.deepEqual(await flags.clear(Ada.id, [a, b], 'starred'), []);
      assert.deepEqual(await flags.messagesWith(Ada.id, 'starred', 10), []);
      assert.deepEqual((await readState.flagsOf(Ada.id, [a])).get(a), []);
    });
  });

  test('setting flags for readers reaches subscribers who received the message, or all participants', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd, Dan } = await createUsers(tx, 'Ada', 'Bob', 'Cyd', 'Dan');
      const { flags, readState } = tx;
      const channel = await createChannel(tx, 'Room');
      await subscribe(tx, channel, Ada, Bob, Dan);
      const topic = await tx.conversations.ensureTopic(channel, 'x');
      const id = await send(tx, Ada, topic);
      await subscribe(tx, channel, Cyd);
      await unsubscribe(tx, channel, Dan);
      const userIds = [Dan.id, Cyd.id, Bob.id, Ada.id, 9_999];
      await flags.set(Bob.id, [id], 'starred');
      assert.deepEqual(await flags.setForReaders(id, userIds.slice(0, 3), 'mentioned'), [Bob.id]);
      assert.deepEqual(await flags.setForReaders(id, [], 'mentioned'), []);
      assert.deepEqual(await flags.setForReaders(id, 'all', 'wildcard_mentioned'), [Ada.id, Bob.id]);
      assert.deepEqual(await flags.setForReaders(id, userIds, 'mentioned'), [Ada.id, Bob.id]);
      assert.deepEqual((await readState.flagsOf(Bob.id, [id])).get(id), ['starred', 'mentioned', 'wildcard_mentioned']);
      await flags.setForReaders(id, [Bob.id], 'topic_wildcard_mentioned');
      assert.deepEqual((await readState.flagsOf(Bob.id, [id])).get(id)?.slice(2), [
        'wildcard_mentioned',
        'topic_wildcard_mentioned',
      ]);
      await flags.dropContentFlags(id);
      assert.deepEqual((await readState.flagsOf(Bob.id, [id])).get(id), ['starred']);
      assert.deepEqual((await readState.flagsOf(Ada.id, [id])).get(id), ['read']);
      assert.deepEqual(await flags.holders([id]), [Bob.id]);
      const direct = await send(tx, Ada, await tx.conversations.ensureDirect([Ada.id, Dan.id]));
      assert.deepEqual(await flags.setForReaders(direct, userIds, 'mentioned'), [Ada.id, Dan.id]);
      assert.deepEqual(await flags.setForReaders(direct, 'all', 'mentioned'), [Ada.id, Dan.id]);
    });
  });

  test('setting flags for message-user pairs reaches users who received the message', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      const { flags, readState } = tx;
      const [one, two] = [await createChannel(tx, 'one'), await createChannel(tx, 'two')];
      await subscribe(tx, one, Ada, Bob);
      await subscribe(tx, two, Bob, Cyd);
      const [first, second] = [
        await send(tx, Ada, await tx.conversations.ensureTopic(one, 'x')),
        await send(tx, Ada, await tx.conversations.ensureTopic(two, 'x')),
      ];
      const direct = await send(tx, Ada, await tx.conversations.ensureDirect([Ada.id, Cyd.id]));
      const pairs = [first, second, direct].flatMap((message_id) =>
        [Ada, Bob, Cyd].map(({ id }) => ({ message_id, user_id: id })),
      );
      const flagged = await flags.setForReceivers(pairs, 'has_alert_word');
      assert.deepEqual(
        flagged.map(({ message_id, user_id }) => `${message_id} ${user_id}`).sort(),
        [
          ...[`${first} ${Ada.id}`, `${first} ${Bob.id}`, `${second} ${Bob.id}`, `${second} ${Cyd.id}`],
          ...[`${direct} ${Ada.id}`, `${direct} ${Cyd.id}`],
        ].sort(),
      );
      assert.deepEqual((await readState.flagsOf(Bob.id, [second])).get(second), ['has_alert_word']);
      assert.deepEqual((await readState.flagsOf(Bob.id, [direct])).get(direct)?.includes('has_alert_word'), false);
      assert.deepEqual(await flags.setForReceivers([], 'has_alert_word'), []);
    });
  });

  test('a user with a flag on a message they did not receive is a holder, and their visible flags do not change', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { flags, readState } = tx;
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      const channel = await createChannel(tx, 'Room');
      await subscribe(tx, channel, Ada);
      const topic = await tx.conversations.ensureTopic(channel, 'x');
      const id = await send(tx, Ada, topic);
      await subscribe(tx, channel, Cyd);
      const before = await readState.flagsOf(Bob.id, [id]);
      for (const { id: user } of [Ada, Bob, Cyd, Bob]) await flags.follow(user, id);
      assert.deepEqual(await flags.holders([id]), [Bob.id, Cyd.id]);
      assert.deepEqual(await flags.holders([id], channel), [Bob.id]);
      assert.deepEqual(await flags.outsiders({ conversation_id: topic.id, from_id: id, to_id: id }), [Bob.id]);
      assert.deepEqual(await readState.flagsOf(Bob.id, [id]), before);
      await flags.set(Bob.id, [id], 'starred');
      await flags.clear(Bob.id, [id], 'starred');
      assert.deepEqual(await flags.holders([id]), [Bob.id, Cyd.id]);
      await flags.forget([Bob.id], topic.id);
      assert.deepEqual(await flags.holders([id]), [Cyd.id]);
      const direct = await send(tx, Ada, await tx.conversations.ensureDirect([Ada.id, Bob.id]));
      await flags.follow(Bob.id, direct);
      assert.deepEqual(await flags.holders([direct]), []);
    });
  });

  test('unsubscribed users with flags in a topic are found among few and among 5,000 flags', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd, Dan, Eve } = await createUsers(tx, 'Ada', 'Bob', 'Cyd', 'Dan', 'Eve');
      const channel = await createChannel(tx, 'Room');
      await subscribe(tx, channel, Eve);
      const topic = await tx.conversations.ensureTopic(channel, 'x');
      const other = await tx.conversations.ensureTopic(channel, 'y');
      const first = await send(tx, Ada, topic);
      const between = await send(tx, Ada, topic);
      const elsewhere = await send(tx, Ada, other);
      await tx.flags.set(Bob.id, [between], 'starred');
      await tx.flags.set(Dan.id, [between], 'starred');
      await tx.flags.set(Eve.id, [between], 'starred');
      await tx.flags.set(Cyd.id, [elsewhere], 'starred');
      await tx.users.update(Dan.id, { is_active: false });
      const holders = async () => {
        const to_id = await send(tx, Ada, topic);
        return tx.flags.outsiders({ conversation_id: topic.id, from_id: first, to_id });
      };
      assert.deepEqual(await holders(), [Bob.id]);
      const crowd = await createUsers(tx, ...Array.from({ length: 100 }, (_, n) => `Reader ${n}`));
      const readers = [Cyd, ...Object.values(crowd)].map(({ id }) => id);
      const many: number[] = [];
      while (many.length < 50) many.push(await send(tx, Ada, other));
      for (const id of readers) await tx.flags.set(id, many, 'starred');
      assert.deepEqual(await holders(), [Bob.id]);
      assert.deepEqual(
        await tx.flags.outsiders({
          conversation_id: other.id,
          from_id: elsewhere,
          to_id: many.at(-1) as number,
        }),
        readers,
      );
    });
  });

  test('the voices of a topic are users who wrote or reacted in it', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      const channel = await createChannel(tx, 'Room');
      const topic = await tx.conversations.ensureTopic(channel, 'x');
      assert.deepEqual(await tx.conversations.voices(topic.id), []);
      const id = await send(tx, Cyd, topic);
      await send(tx, Bob, await tx.conversations.ensureTopic(channel, 'y'));
      const tada = { reaction_type: 'unicode_emoji', emoji_code: '1f389', emoji_name: 'tada' } as const;
      for (const user of [Ada, Cyd]) await tx.reactions.add({ ...tada, message_id: id, user_id: user.id });
      assert.deepEqual(await tx.conversations.voices(topic.id), [Ada.id, Cyd.id]);
    });
  });

  test('flags and read state do not change each other', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const direct = await tx.conversations.ensureDirect([Ada.id, Bob.id]);
      const id = await send(tx, Bob, direct);
      const flags = async () => (await tx.readState.flagsOf(Ada.id, [id])).get(id)?.sort();
      await tx.flags.set(Ada.id, [id], 'has_alert_word');
      assert.deepEqual(await flags(), ['has_alert_word']);
      await tx.readState.markRead(Ada.id, [id]);
      assert.deepEqual(await flags(), ['has_alert_word', 'read']);
      await tx.readState.markUnread(Ada.id, [id]);
      await tx.flags.clear(Ada.id, [id], 'has_alert_word');
      assert.deepEqual(await flags(), []);
      await tx.flags.set(Ada.id, [id], 'collapsed');
      await tx.readState.markRead(Ada.id, [id]);
      assert.deepEqual(await flags(), ['collapsed', 'read']);
    });
  });

  test('concurrent marks of one user in two storages are all stored', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const storages = [storage, await reopen()];
    const { Ada, ids } = await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const direct = await tx.conversations.ensureDirect([Ada.id, Bob.id]);
      const ids: number[] = [];
      for (let n = 0; n < 48; n++) ids.push(await send(tx, Bob, direct));
      return { Ada, ids };
    });
    // Each message once, in random order, so that ranges meet and merge often.
    const order = ids.map((_, at) => ids[(at * 29) % ids.length] as number);
    const marked = await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        storages[at % 2]?.write((tx) => tx.readState.markRead(Ada.id, order.slice(at * 2, at * 2 + 2)), 'mark'),
      ),
    );
    assert.deepEqual(
      marked.flat().sort((one, other) => (one ?? 0) - (other ?? 0)),
      ids,
    );
    assert.deepEqual(await storage.read((tx) => tx.readState.unread(Ada.id, 100)), []);
    const flags = await storage.read((tx) => tx.readState.flagsOf(Ada.id, ids));
    assert.deepEqual(
      [...flags.values()].filter((names) => !names.includes('read')),
      [],
    );
  });
}
