import assert from 'node:assert/strict';
import type { User } from '../../lib/model/users.ts';
import { readSearch } from '../../lib/rules/search.ts';
import type { MessageQuery } from '../../lib/storage/interface/messages.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { createChannel, createUsers, newMessage, openFounded, send, subscribe, unsubscribe } from './fixtures.ts';

export function messagesContract(engine: Engine): void {
  const test = testOn(engine);
  test('a topic name in any case leads to one conversation', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const one = await createChannel(tx, 'one');
      const two = await createChannel(tx, 'two');
      const made = await tx.conversations.ensureTopic(one, 'Größe');
      assert.deepEqual(made, { id: made.id, channel_id: one, topic: 'Größe', participants: [] });
      assert.deepEqual(await tx.conversations.ensureTopic(one, 'grÖße'), made);
      assert.deepEqual(await tx.conversations.topic(one, 'GRÖße'), made);
      assert.notEqual((await tx.conversations.ensureTopic(two, 'Größe')).id, made.id);
      assert.notEqual((await tx.conversations.ensureTopic(one, '')).id, made.id);
      assert.equal(await tx.conversations.topic(two, 'other'), undefined);
      assert.deepEqual(await tx.conversations.byIds([made.id, 9_999]), [made]);
      assert.deepEqual(await tx.conversations.byIds([]), []);
    });
  });

  test('a topic whose messages are all gone is created again, with the new spelling', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const channel = await createChannel(tx, 'one');
      const { Ada } = await createUsers(tx, 'Ada');
      for (const leave of ['remove', 'move'] as const) {
        const made = await tx.conversations.ensureTopic(channel, 'Size');
        const [one, two] = [await send(tx, Ada, made), await send(tx, Ada, made)];
        await tx.messages.remove([one]);
        assert.deepEqual(await tx.conversations.ensureTopic(channel, 'SIZE'), made);
        if (leave === 'remove') await tx.messages.remove([two]);
        else await tx.messages.move([two], made, await tx.conversations.ensureTopic(channel, 'other'), 1_700_000_000);
        assert.equal(await tx.conversations.topic(channel, 'Size'), undefined);
        const again = await tx.conversations.ensureTopic(channel, 'SIZE');
        assert.equal(again.topic, 'SIZE');
        await tx.messages.remove([await send(tx, Ada, again)]);
      }
    });
  });

  test('the same participants have one direct conversation, in any order', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      const made = await tx.conversations.ensureDirect([Cyd.id, Ada.id]);
      assert.deepEqual(made, { id: made.id, channel_id: null, topic: '', participants: [Ada.id, Cyd.id] });
      assert.deepEqual(await tx.conversations.ensureDirect([Ada.id, Cyd.id]), made);
      assert.deepEqual(await tx.conversations.direct([Cyd.id, Ada.id]), made);
      assert.notEqual((await tx.conversations.ensureDirect([Ada.id, Bob.id, Cyd.id])).id, made.id);
      const alone = await tx.conversations.ensureDirect([Ada.id]);
      assert.deepEqual(alone.participants, [Ada.id]);
      assert.equal(await tx.conversations.direct([Bob.id, Cyd.id]), undefined);
      assert.deepEqual(await tx.conversations.byIds([alone.id, made.id]), [made, alone]);
    });
  });

  test('concurrent writers that need a new conversation get the same one', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const storages = [storage, await reopen()];
    const { channel, users } = await storage.write(async (tx) => ({
      channel: await createChannel(tx, 'one'),
      users: await createUsers(tx, 'Ada', 'Bob'),
    }));
    const found = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        storages[at % 2]?.write(
          async (tx) => [
            (await tx.conversations.ensureTopic(channel, 'x')).id,
            (await tx.conversations.ensureDirect([users.Ada.id, users.Bob.id])).id,
          ],
          'mark',
        ),
      ),
    );
    assert.equal(new Set(found.map((ids) => ids?.[0])).size, 1);
    assert.equal(new Set(found.map((ids) => ids?.[1])).size, 1);
  });

  test('the newest messages of several topics are read together, on request only those a user received', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const [one, two] = [await createChannel(tx, 'one'), await createChannel(tx, 'two')];
      const [tea, empty, elsewhere] = [
        await tx.conversations.ensureTopic(one, 'Größe'),
        await tx.conversations.ensureTopic(one, ''),
        await tx.conversations.ensureTopic(two, 'Größe'),
      ];
      await tx.conversations.ensureTopic(one, 'silent');
      await subscribe(tx, one, Bob);
      const early = await send(tx, Ada, tea);
      const nameless = await send(tx, Ada, empty);
      await unsubscribe(tx, one, Bob);
      const late = await send(tx, Ada, tea);
      const other = await send(tx, Ada, elsewhere);
      const wanted = (receivedBy?: number) =>
        [
          { channel_id: one, topic: 'GRÖSSE' },
          { channel_id: one, topic: 'grÖße' },
          { channel_id: one, topic: '' },
          { channel_id: one, topic: 'silent' },
          { channel_id: two, topic: 'Größe' },
        ].map((topic) => ({ ...topic, ...(receivedBy === undefined ? {} : { receivedBy }) }));
      assert.deepEqual(await tx.conversations.newestMessages(wanted()), [
        { channel_id: one, topic: 'grÖße', latest_message_id: late },
        { channel_id: one, topic: '', latest_message_id: nameless },
        { channel_id: two, topic: 'Größe', latest_message_id: other },
      ]);
      assert.deepEqual(await tx.conversations.newestMessages(wanted(Bob.id)), [
        { channel_id: one, topic: 'grÖße', latest_message_id: early },
        { channel_id: one, topic: '', latest_message_id: nameless },
      ]);
      assert.deepEqual(await tx.conversations.newestMessages([]), []);
    });
  });

  test('a message is read back with all its fields, and users, channels and sizes are found by its ID', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const channel = await createChannel(tx, 'one');
      const { id: conversation_id } = await tx.conversations.ensureTopic(channel, 'Tee?');
      const given = {
        conversation_id,
        sender_id: Ada.id,
        content: "it's ? $1 \\ 🐙\n",
        rendered_content: '<p>it&#39;s</p>',
        timestamp: 1_700_000_001,
        client: 'zulip-js',
        is_me_message: true,
        read_by_sender: false,
      };
      const { id } = await tx.messages.create(given);
      const kept = {
        ...given,
        id,
        channel_id: channel,
        topic: 'Tee?',
        last_edit_timestamp: null,
        last_moved_timestamp: null,
      };
      assert.deepEqual(await tx.messages.byId(id), kept);
      const direct = await tx.conversations.ensureDirect([Ada.id, Bob.id]);
      const next = await send(tx, Ada, direct);
      assert.ok(next > id);
      const { channel_id, topic } = (await tx.messages.byId(next)) ?? assert.fail();
      assert.deepEqual([channel_id, topic], [null, '']);
      assert.deepEqual(
        (await tx.messages.byIds([next, 9_999, id])).map((message) => message.id),
        [id, next],
      );
      assert.deepEqual(await tx.messages.byIds([]), []);
      assert.deepEqual(await tx.users.ofMessages([next, 9_999, id]), await tx.users.byIds([Ada.id, Bob.id]));
      assert.deepEqual(await tx.users.ofMessages([9_999, id]), await tx.users.byIds([Ada.id]));
      assert.deepEqual(await tx.channels.ofMessages([next, 9_999, id]), await tx.channels.byIds([channel]));
      assert.deepEqual(await tx.channels.ofMessages([next]), []);
      assert.deepEqual([...(await tx.messages.sizes([next, 9_999])).keys()], [next]);
      const both = { viewer: Ada.id, conversations: [conversation_id, direct.id] };
      const measured = await tx.messages.fetchMeasured(both, id - 1, 'after', 10);
      const sizes = await tx.messages.sizes([id, next]);
      assert.deepEqual(measured, { ids: [id, next], bytes: [...sizes.values()].reduce((sum, size) => sum + size) });
      assert.equal(await tx.messages.byId(9_999), undefined);
      assert.equal(await tx.messages.maxId(), next);
    });
  });

  test('a new message tells whether a user other than its sender follows the topic', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const channel_id = await createChannel(tx, 'one');
      const tea = await tx.conversations.ensureTopic(channel_id, 'Thé');
      const isFollowed = async (sender: User, conversation = tea, looksForFollowers = true) =>
        (await tx.messages.create(newMessage(sender, conversation), { looksForFollowers })).is_followed;
      assert.equal(await isFollowed(Ada), false);
      const setting = { channel_id, topic: 'THÉ', last_updated: 1 };
      await tx.userTopics.set([Bob.id], { ...setting, visibility_policy: 3 });
      assert.deepEqual([await isFollowed(Ada), await isFollowed(Bob)], [true, false]);
      assert.equal(await isFollowed(Ada, tea, false), false, 'it does not look');
      assert.equal(await isFollowed(Ada, await tx.conversations.ensureTopic(channel_id, 'cake')), false);
      assert.equal(await isFollowed(Ada, await tx.conversations.ensureDirect([Ada.id, Bob.id])), false);
      await tx.userTopics.set([Ada.id], { ...setting, visibility_policy: 3 });
      assert.equal(await isFollowed(Bob), true);
      await tx.userTopics.set([Ada.id], { ...setting, visibility_policy: 2 });
      assert.equal(await isFollowed(Bob), false, 'an unmuted topic is not followed');
    });
  });

  test('in an empty database, the ID of the newest message is 0', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      assert.equal(await tx.messages.maxId(), 0);
      assert.equal(await tx.messages.maxReceivedId(Ada.id), 0);
    });
  });

  test('a user receives channel messages sent while subscribed, and messages of own direct conversations', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      const channel = await createChannel(tx, 'one');
      const topic = await tx.conversations.ensureTopic(channel, 'x');
      const direct = await tx.conversations.ensureDirect([Ada.id, Bob.id]);
      const before = await send(tx, Cyd, topic);
      await subscribe(tx, channel, Ada);
      const during = await send(tx, Cyd, topic);
      const said = await send(tx, Bob, direct);
      await unsubscribe(tx, channel, Ada);
      const away = await send(tx, Cyd, topic);
      await subscribe(tx, channel, Ada);
      assert.equal(await tx.messages.maxReceivedId(Ada.id), said);
      const back = await send(tx, Cyd, topic);
      const all = [before, during, said, away, back];
      assert.deepEqual(await tx.messages.received(Ada.id, [...all].reverse()), [during, said, back]);
      assert.deepEqual(await tx.messages.received(Bob.id, all), [said]);
      assert.deepEqual(await tx.messages.received(Cyd.id, all), []);
      assert.deepEqual(await tx.messages.received(Ada.id, []), []);
      assert.equal(await tx.messages.maxReceivedId(Ada.id), back);
      assert.equal(await tx.messages.maxReceivedId(Bob.id), said);
      assert.equal(await tx.messages.maxReceivedId(Cyd.id), 0);
    });
  });

  test('a read of message IDs returns the received ones nearest to the anchor, in ascending order', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      const channel = await createChannel(tx, 'one');
      await subscribe(tx, channel, Ada, Bob);
      const topic = await tx.conversations.ensureTopic(channel, 'x');
      const direct = await tx.conversations.ensureDirect([Ada.id, Bob.id]);
      const foreign = await tx.conversations.ensureDirect([Bob.id, Cyd.id]);
      const [a, b, c, , e] = [
        await send(tx, Ada, topic),
        await send(tx, Bob, direct),
        await send(tx, Bob, topic),
        await send(tx, Cyd, foreign),
        await send(tx, Ada, direct),
      ] as const;
      const fetch = (direction: 'before' | 'after', from: number, limit: number) =>
        tx.messages.fetchIds({ viewer: Ada.id }, from, direction, limit);
      assert.deepEqual(await fetch('after', 0, 100), [a, b, c, e]);
      assert.deepEqual(await fetch('after', 0, 2), [a, b]);
      assert.deepEqual(await fetch('before', e + 1, 2), [c, e]);
      assert.deepEqual(await fetch('before', c, 100), [a, b]);
      assert.deepEqual(await fetch('after', c, 100), [e]);
      assert.deepEqual(await fetch('after', e, 100), []);
      assert.deepEqual(await fetch('before', Number.MAX_SAFE_INTEGER, 0), []);
    });
  });

  test('message IDs of a channel are the nearest to an anchor across all topics', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const channel = await createChannel(tx, 'one');
      const topics = [
        await tx.conversations.ensureTopic(channel, 'x'),
        await tx.conversations.ensureTopic(channel, 'y'),
      ];
      const sent: number[] = [];
      for (let round = 0; round < 4; round++) for (const topic of topics) sent.push(await send(tx, Ada, topic));
      const fetch = (direction: 'before' | 'after', from: number) =>
        tx.messages.fetchIds({ viewer: Ada.id, channels: [channel] }, from, direction, 3);
      assert.deepEqual(await fetch('before', Number.MAX_SAFE_INTEGER), sent.slice(-3));
      assert.deepEqual(await fetch('before', sent[5] as number), sent.slice(2, 5));
      assert.deepEqual(await fetch('after', 0), sent.slice(0, 3));
    });
  });

  test('message IDs can be narrowed by conversation, channel, kind, sender, ID, flag and words', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const one = await createChannel(tx, 'one');
      const two = await createChannel(tx, 'two');
      await subscribe(tx, one, Ada, Bob);
      await subscribe(tx, two, Ada, Bob);
      const x = await tx.conversations.ensureTopic(one, 'x');
      const y = await tx.conversations.ensureTopic(one, 'y');
      const z = await tx.conversations.ensureTopic(two, 'z');
      const direct = await tx.conversations.ensureDirect([Ada.id, Bob.id]);
      const inX = await send(tx, Bob, x, { content: 'SCHÖNE Grüße, 100% sicher' });
      const inY = await send(tx, Ada, y, { content: 'a fine day' });
      const inZ = await send(tx, Bob, z, { content: 'A Fine night' });
      const said = await send(tx, Bob, direct, { content: 'fine' });
      await tx.flags.set(Ada.id, [inX, said], 'starred');
      await tx.flags.set(Bob.id, [inY], 'starred');
      await tx.readState.markRead(Ada.id, [inZ]);
      const words = (...searched: string[]): Omit<MessageQuery, 'viewer'> => ({
        terms: [{ test: 'words', search: readSearch(searched.join(' ')) }],
      });
      const expected: [Omit<MessageQuery, 'viewer'>, number[]][] = [
        [{}, [inX, inY, inZ, said]],
        [{ conversations: [x.id, direct.id] }, [inX, said]],
        [{ conversations: [] }, []],
        [{ channels: [one] }, [inX, inY]],
        [{ channels: [one, two], terms: [{ test: 'sender', id: Bob.id }] }, [inX, inZ]],
        [{ terms: [{ test: 'direct' }] }, [said]],
        [{ terms: [{ test: 'direct', negated: true }] }, [inX, inY, inZ]],
        [{ terms: [{ test: 'sender', id: Ada.id }] }, [inY]],
        [{ terms: [{ test: 'ids', ids: [said, inY] }] }, [inY, said]],
        [{ terms: [{ test: 'ids', ids: [said, inY] }], conversations: [y.id] }, [inY]],
        [{ terms: [{ test: 'flagged', flags: ['starred'] }] }, [inX, said]],
        [{ terms: [{ test: 'flagged', flags: ['starred'], negated: true }] }, [inY, inZ]],
        [{ terms: [{ test: 'unread' }] }, [inX, said]],
        [{ terms: [{ test: 'unread', negated: true }] }, [inY, inZ]],
        [
          {
            terms: [{ test: 'unread' }, { test: 'flagged', flags: ['starred'] }, { test: 'direct', negated: true }],
          },
          [inX],
        ],
        [words('fine'), [inY, inZ, said]],
        [words('fine', 'night'), [inZ]],
        [words('grüße'), [inX]],
        [words('SCHÖN'), [inX]],
        [words('öne'), []],
        [words('schöne'), [inX]],
        [words('100%'), [inX]],
        [words('f_ne'), []],
      ];
      for (const [narrow, ids] of expected) {
        const found = await tx.messages.fetchIds({ viewer: Ada.id, ...narrow }, 0, 'after', 100);
        assert.deepEqual(found, ids, JSON.stringify(narrow));
        const newest = await tx.messages.fetchIds({ viewer: Ada.id, ...narrow }, said + 1, 'before', 1);
        assert.deepEqual(newest, ids.slice(-1), `the newest of ${JSON.stringify(narrow)}`);
      }
    });
  });

  test('message history can be limited to messages that the user received', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const channel = await createChannel(tx, 'one');
      const topic = await tx.conversations.ensureTopic(channel, 'x');
      const early = await send(tx, Bob, topic);
      await subscribe(tx, channel, Ada);
      const late = await send(tx, Bob, topic);
      const fetch = (query: Omit<MessageQuery, 'viewer'>) =>
        tx.messages.fetchIds({ viewer: Ada.id, ...query }, 0, 'after', 10);
      assert.deepEqual(await fetch({ channels: [channel] }), [early, late]);
      assert.deepEqual(await fetch({ conversations: [topic.id] }), [early, late]);
      assert.deepEqual(await fetch({ channels: [channel], receivedOnlyIn: [channel] }), [late]);
      assert.deepEqual(await fetch({ conversations: [topic.id], receivedOnlyIn: [channel] }), [late]);
      assert.deepEqual(await fetch({}), [late]);
    });
  });

  test('topics are listed newest first, on request only those with messages that the user received', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const channel = await createChannel(tx, 'one');
      const old = await tx.conversations.ensureTopic(channel, 'Old');
      const both = await tx.conversations.ensureTopic(channel, 'both');
      await tx.conversations.ensureTopic(channel, 'silent');
      await send(tx, Bob, both);
      const inOld = await send(tx, Bob, old);
      await subscribe(tx, channel, Ada);
      const inBoth = await send(tx, Bob, both);
      await unsubscribe(tx, channel, Ada);
      const later = await send(tx, Bob, both);
      assert.deepEqual(await tx.conversations.topicsOf(channel, { limit: 10 }), [
        { name: 'both', max_id: later },
        { name: 'Old', max_id: inOld },
      ]);
      assert.deepEqual(await tx.conversations.topicsOf(channel, { limit: 1 }), [{ name: 'both', max_id: later }]);
      assert.deepEqual(await tx.conversations.topicsOf(channel, { receivedBy: Ada.id, limit: 10 }), [
        { name: 'both', max_id: inBoth },
      ]);
      assert.deepEqual(await tx.conversations.topicsOf(channel, { receivedBy: Bob.id, limit: 10 }), []);
    });
  });

  test('direct conversations are listed newest first', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      const one = await tx.conversations.ensureDirect([Ada.id, Bob.id]);
      const two = await tx.conversations.ensureDirect([Ada.id, Bob.id, Cyd.id]);
      await tx.conversations.ensureDirect([Ada.id]);
      const first = await send(tx, Ada, two);
      const second = await send(tx, Ada, one);
      assert.deepEqual(await tx.conversations.directsOf(Ada.id, 10), [
        { conversation: one, max_message_id: second },
        { conversation: two, max_message_id: first },
      ]);
      assert.equal((await tx.conversations.directsOf(Ada.id, 1)).length, 1);
      assert.deepEqual(await tx.conversations.directsOf(Cyd.id, 10), [{ conversation: two, max_message_id: first }]);
    });
  });
}
