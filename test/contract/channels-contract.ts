import assert from 'node:assert/strict';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { type Engine, testOn } from '../support/engines.ts';
import {
  createChannel,
  createUsers,
  newChannel,
  newUser,
  openFounded,
  send,
  subscribe,
  unsubscribe,
} from './fixtures.ts';

const color = '#76ce90';

const noteMessage = (tx: Transaction, channel_id: number, message_id: number, day: number) =>
  tx.channels.recordActivity([{ channel_id, message_id }], day);

export function channelsContract(engine: Engine): void {
  const test = testOn(engine);
  test('channels_version rises with changes of channels, subscriptions and topic names, and with no other changes', async (t) => {
    const { storage } = await openFounded(t, engine);
    const version = async () => (await storage.read((tx) => tx.organization.versions()))?.channels_version ?? 0;
    const { Ada, Bob } = await storage.write((tx) => createUsers(tx, 'Ada', 'Bob'));
    let id = 0;
    const pair = { user_id: Ada.id, channel_id: 0 };
    const topic = (tx: Transaction, name = 'x') => tx.conversations.ensureTopic(id, name);
    const rising: Record<string, (tx: Transaction) => Promise<unknown>> = {
      create: async (tx) => {
        id = await createChannel(tx, 'one');
        pair.channel_id = id;
      },
      rename: (tx) => tx.channels.update(id, { name: 'two' }),
      archive: (tx) => tx.channels.update(id, { is_archived: true }),
      subscribe: (tx) => tx.subscriptions.add([{ ...pair, color }]),
      mute: (tx) => tx.subscriptions.update(Ada.id, 'is_muted', new Map([[id, true]])),
      unsubscribe: (tx) => tx.subscriptions.remove([pair]),
      'rename a topic': async (tx) =>
        tx.conversations.rename(await topic(tx), { channel_id: id, topic: 'y' }, { timestamp: 1, up_to: 0 }),
    };
    for (const [name, change] of Object.entries(rising)) {
      const before = await version();
      await storage.write(change);
      assert.ok((await version()) > before, name);
    }
    const steady: Record<string, (tx: Transaction) => Promise<unknown>> = {
      send: async (tx) => send(tx, Bob, await topic(tx, 'new')),
      'first message of a day': (tx) => noteMessage(tx, id, 1, 1),
      'subscribe no users': (tx) => tx.subscriptions.add([]),
      'unsubscribe a user who is not subscribed': (tx) => tx.subscriptions.remove([{ ...pair, user_id: Bob.id }]),
      pin: (tx) => tx.subscriptions.update(Ada.id, 'pin_to_top', new Map([[id, true]])),
      'change a user': (tx) => tx.users.update(Ada.id, { full_name: 'Eda' }),
    };
    const last = await version();
    for (const [name, change] of Object.entries(steady)) {
      await storage.write(change);
      assert.equal(await version(), last, name);
    }
  });

  test('the first message of a channel stays the same when later days add messages', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const id = await createChannel(tx, 'one');
      assert.deepEqual(await noteMessage(tx, id, 5, 100), [id]);
      assert.deepEqual(await noteMessage(tx, id, 9, 101), []);
      const channel = await tx.channels.byId(id);
      assert.deepEqual([channel?.first_message_id, channel?.last_active_day], [5, 101]);
    });
  });

  test('the first message of a channel is the one with the lowest ID, in any order of insertion', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const id = await createChannel(tx, 'one');
      assert.deepEqual(await noteMessage(tx, id, 9, 100), [id]);
      assert.deepEqual(await noteMessage(tx, id, 5, 100), [id]);
      assert.equal((await tx.channels.byId(id))?.first_message_id, 5);
    });
  });

  test('removing the first message of a channel makes the next one first, across topics, and raises channels_version', async (t) => {
    const { storage } = await openFounded(t, engine);
    const version = async () => (await storage.read((tx) => tx.organization.versions()))?.channels_version ?? 0;
    const { id, ids } = await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const id = await createChannel(tx, 'one');
      const other = await createChannel(tx, 'two');
      const [x, y, elsewhere] = [
        await tx.conversations.ensureTopic(id, 'x'),
        await tx.conversations.ensureTopic(id, 'y'),
        await tx.conversations.ensureTopic(other, 'x'),
      ];
      const ids = [
        await send(tx, Ada, x),
        await send(tx, Ada, elsewhere),
        await send(tx, Ada, y),
        await send(tx, Ada, x),
      ];
      assert.equal(await tx.channels.findFirstMessage(id), ids[0]);
      await tx.messages.remove([ids[0] as number]);
      assert.equal(await tx.channels.findFirstMessage(id), ids[2]);
      assert.equal((await tx.channels.byId(id))?.first_message_id, ids[2]);
      return { id, ids };
    });
    const before = await version();
    await storage.write(async (tx) => {
      await tx.messages.remove([ids[2] as number, ids[3] as number]);
      assert.equal(await tx.channels.findFirstMessage(id), null);
    });
    assert.ok((await version()) > before);
  });

  test('a created channel is read back with all its fields', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const folder_id = await tx.channels.createFolder({
        name: 'Projects',
        description: '**x**',
        rendered_description: '<b>x</b>',
        creator_id: Ada.id,
        created_ms: 5,
        is_archived: false,
      });
      const channel = newChannel('Ärger & Co', {
        creator_id: Ada.id,
        invite_only: true,
        history_public_to_subscribers: false,
        is_web_public: true,
        is_archived: true,
        is_default: true,
        topics_policy: 'empty_topic_only',
        message_retention_days: -1,
        folder_id,
        settings: { can_remove: 3, can_add: { direct_members: [Ada.id], direct_subgroups: [] } },
      });
      const id = await createChannel(tx, channel.name, channel);
      const whole = { ...channel, id, subscriber_count: 0, first_message_id: null, last_active_day: null };
      assert.deepEqual(await tx.channels.byId(id), whole);
      assert.deepEqual(await tx.channels.all(), [whole]);
    });
  });

  test('channels created together keep their order and fields, and names already in use are skipped', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const taken = await createChannel(tx, 'Taken');
      const given = [
        newChannel('zwölf', { invite_only: true, settings: { can_add: 3 }, message_retention_days: 7 }),
        newChannel('TAKEN'),
        newChannel('eins', { description: '"`\\ ‰', is_default: true }),
        newChannel('Zwölf'),
      ];
      const created = await tx.channels.create(given);
      const whole = { subscriber_count: 0, first_message_id: null, last_active_day: null };
      const [zwölf, eins] = created.map(({ id }) => id);
      assert.deepEqual(created, [
        { ...given[0], ...whole, id: zwölf },
        { ...given[2], ...whole, id: eins },
      ]);
      assert.deepEqual((await tx.channels.all()).slice(1), created);
      assert.deepEqual(await tx.channels.create([]), []);

      const [first, second] = [zwölf as number, eins as number];
      const noted = [taken, first, second].map((channel_id, at) => ({ channel_id, message_id: 20 - at }));
      assert.deepEqual(await noteMessage(tx, first, 3, 99), [first]);
      const begun = await tx.channels.recordActivity(noted, 100);
      assert.deepEqual(
        begun.sort((one, other) => one - other),
        [taken, second],
      );
      const firsts = (await tx.channels.all()).map((one) => [one.first_message_id, one.last_active_day]);
      assert.deepEqual(firsts, [
        [20, 100],
        [3, 100],
        [18, 100],
      ]);
    });
  });

  test('ensureTopicInEach creates a topic in each channel that lacks it, and returns existing ones', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const channels = [
        await createChannel(tx, 'one'),
        await createChannel(tx, 'two'),
        await createChannel(tx, 'three'),
      ];
      const [one, two, three] = channels as [number, number, number];
      const known = await tx.conversations.ensureTopic(two, 'Opening');
      const topics = await tx.conversations.ensureTopicInEach([one, two], 'opening');
      const byChannel = topics.sort((a, b) => (a.channel_id ?? 0) - (b.channel_id ?? 0));
      assert.deepEqual(byChannel, [await tx.conversations.topic(one, 'OPENING'), known]);
      assert.equal(topics[0]?.topic, 'opening');
      assert.equal(await tx.conversations.topic(three, 'opening'), undefined);
      assert.deepEqual(await tx.conversations.ensureTopicInEach([], 'opening'), []);
    });
  });

  test('channels are found by ID, and by name in any case', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const one = await createChannel(tx, 'One');
      const two = await createChannel(tx, 'Zwölf');
      const ids = async (found: Promise<{ id: number }[]>) => (await found).map(({ id }) => id);
      assert.equal(await tx.channels.byId(9_999), undefined);
      assert.deepEqual(await ids(tx.channels.byIds([two, 9_999, one])), [one, two]);
      assert.deepEqual(await ids(tx.channels.byIds([])), []);
      assert.deepEqual((await ids(tx.channels.byNames(['ZWÖLF', 'none', 'oNE']))).sort(), [one, two].sort());
      assert.deepEqual(await ids(tx.channels.byNames([])), []);
      assert.deepEqual(await ids(tx.channels.all()), [one, two]);
      await tx.channels.update(two, { is_archived: true });
      assert.deepEqual(await ids(tx.channels.active()), [one]);
    });
  });

  test('channels are found by names with quotes, backslashes, commas and braces', async (t) => {
    const { storage } = await openFounded(t, engine);
    const names = ['"', '\\', '\\"', '{a,b}', ',', 'null', ' '];
    await storage.write((tx) => tx.channels.create(names.map((name) => newChannel(name))));
    const found = await storage.read((tx) => tx.channels.byNames(names));
    assert.deepEqual(found.map(({ name }) => name).sort(), [...names].sort());
  });

  test('a channel name can be used once, also by an archived channel, and a refused change changes nothing', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const id = await createChannel(tx, 'General', { is_archived: true });
      const other = await createChannel(tx, 'other');
      assert.deepEqual(await tx.channels.create([newChannel('gENERAL')]), []);
      assert.equal(await tx.channels.update(other, { name: 'GENERAL', description: 'new' }), false);
      assert.equal((await tx.channels.byId(other))?.description, 'about');
      assert.equal(await tx.channels.update(id, { name: 'GENERAL' }), true);
      assert.equal((await tx.channels.byId(id))?.name, 'GENERAL');
    });
  });

  test('updating a channel changes the given fields only', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const id = await createChannel(tx, 'one');
      const before = await tx.channels.byId(id);
      assert.equal(
        await tx.channels.update(id, {
          is_archived: true,
          settings: { a: 1 },
          first_message_id: 7,
          last_active_day: 20_000,
        }),
        true,
      );
      assert.equal(await tx.channels.update(id, {}), true);
      assert.deepEqual(await tx.channels.byId(id), {
        ...before,
        is_archived: true,
        settings: { a: 1 },
        first_message_id: 7,
        last_active_day: 20_000,
      });
    });
  });

  test('subscriber_count counts active users who are subscribed', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      const bot = await tx.users.create(newUser('Bot', { bot_type: 1, bot_owner_id: Ada.id }));
      const id = await createChannel(tx, 'one');
      await subscribe(tx, id, Ada, Bob, Cyd, bot);
      await unsubscribe(tx, id, Bob);
      await tx.users.update(Cyd.id, { is_active: false });
      assert.equal((await tx.channels.byId(id))?.subscriber_count, 2);
      assert.deepEqual(await tx.subscriptions.subscriberIds([id]), new Map([[id, [Ada.id, bot.id]]]));
      // A repeated change does nothing.
      await tx.users.update(Cyd.id, { is_active: false });
      await subscribe(tx, id, Ada);
      await unsubscribe(tx, id, Bob);
      assert.equal((await tx.channels.byId(id))?.subscriber_count, 2);
      // A reactivated user counts if subscribed at that time.
      await unsubscribe(tx, id, Cyd);
      await subscribe(tx, id, Cyd, Bob);
      assert.equal((await tx.channels.byId(id))?.subscriber_count, 3);
      await tx.users.update(Cyd.id, { is_active: true });
      assert.equal((await tx.channels.byId(id))?.subscriber_count, 4);
    });
  });

  test('a channel is read together with the subscription of the caller', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const id = await createChannel(tx, 'one');
      await subscribe(tx, id, Ada);
      const { subscriber_count: _, ...head } = (await tx.channels.byId(id)) ?? assert.fail();
      assert.deepEqual(await tx.channels.withSubscription(id, Ada.id), {
        channel: head,
        subscription: await tx.subscriptions.get(Ada.id, id),
      });
      assert.deepEqual(await tx.channels.withSubscription(id, Bob.id), { channel: head, subscription: undefined });
      assert.equal(await tx.channels.withSubscription(9_999, Ada.id), undefined);
    });
  });

  test('folders keep the order in which they were created', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const folder = (name: string) => ({
        name,
        description: '',
        rendered_description: '',
        creator_id: null,
        created_ms: 5,
        is_archived: name === 'a',
      });
      const b = await tx.channels.createFolder(folder('b'));
      const a = await tx.channels.createFolder(folder('a'));
      const [first, second, ...rest] = await tx.channels.folders();
      assert.deepEqual(rest, []);
      const { order: one = Number.NaN, ...firstRest } = first ?? assert.fail();
      const { order: two = Number.NaN, ...secondRest } = second ?? assert.fail();
      assert.deepEqual(
        [firstRest, secondRest],
        [
          { ...folder('b'), id: b },
          { ...folder('a'), id: a },
        ],
      );
      assert.ok(one < two);
    });
  });

  test('a new subscription starts at the newest message and sets only a color', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const id = await createChannel(tx, 'one');
      await subscribe(tx, id, Bob);
      const newest = await send(tx, Bob, await tx.conversations.ensureTopic(id, 'x'));
      const pair = { user_id: Ada.id, channel_id: id };
      const begun = await tx.subscriptions.add([{ ...pair, color: '#aabbcc' }]);
      assert.deepEqual(begun, [await tx.subscriptions.get(Ada.id, id)]);
      assert.deepEqual(begun[0], {
        ...pair,
        active: true,
        color: '#aabbcc',
        is_muted: false,
        pin_to_top: false,
        desktop_notifications: null,
        audible_notifications: null,
        push_notifications: null,
        email_notifications: null,
        wildcard_mentions_notify: null,
        floor: newest,
      });
      assert.equal(await tx.subscriptions.get(9_999, id), undefined);
    });
  });

  test('subscriptions.add and remove return the pairs that changed', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const id = await createChannel(tx, 'one');
      const [ada, bob] = [Ada, Bob].map((user) => ({ user_id: user.id, channel_id: id })) as [Pair, Pair];
      const added = async (...pairs: Pair[]) =>
        (await tx.subscriptions.add(pairs.map((pair) => ({ ...pair, color })))).map(({ user_id, channel_id }) => ({
          user_id,
          channel_id,
        }));
      assert.deepEqual(await added(ada), [ada]);
      assert.deepEqual(await added(ada, bob), [bob]);
      assert.deepEqual(await tx.subscriptions.add([{ ...ada, color }]), []);
      assert.deepEqual(await tx.subscriptions.add([]), []);
      const byChannel = await tx.subscriptions.byChannel([Bob.id, Ada.id]);
      assert.deepEqual([...byChannel], [[id, [Ada.id, Bob.id]]]);
      assert.deepEqual([...(await tx.subscriptions.byChannel([]))], []);
      await tx.users.deactivate([]);
      await tx.users.deactivate([Bob.id, Bob.id]);
      await tx.users.deactivate([Bob.id]);
      assert.equal((await tx.channels.byId(id))?.subscriber_count, 1);
      await tx.users.update(Bob.id, { is_active: true });
      assert.deepEqual(await tx.subscriptions.remove([ada, { user_id: Ada.id, channel_id: 9_999 }]), [ada]);
      assert.deepEqual(await tx.subscriptions.remove([ada]), []);
      assert.deepEqual(await tx.subscriptions.remove([]), []);
    });
  });

  test('subscribing again keeps color and properties and starts at the newest message', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const id = await createChannel(tx, 'one');
      await subscribe(tx, id, Ada, Bob);
      const other = await createChannel(tx, 'two');
      await subscribe(tx, other, Ada);
      const values = {
        is_muted: true,
        pin_to_top: true,
        push_notifications: false,
        email_notifications: true,
      } as const;
      await tx.subscriptions.update(
        Ada.id,
        'color',
        new Map([
          [id, '#000001'],
          [other, '#000002'],
        ]),
      );
      for (const [property, value] of Object.entries(values)) {
        await tx.subscriptions.update(Ada.id, property as keyof typeof values, new Map([[id, value]]));
      }
      assert.equal((await tx.subscriptions.get(Bob.id, id))?.color, color);
      assert.equal((await tx.subscriptions.get(Ada.id, other))?.color, '#000002');
      await unsubscribe(tx, id, Ada);
      const left = (await tx.subscriptions.get(Ada.id, id)) ?? assert.fail();
      assert.equal(left.active, false);
      const missed = await send(tx, Bob, await tx.conversations.ensureTopic(id, 'x'));
      const back = await tx.subscriptions.add([{ user_id: Ada.id, channel_id: id, color }]);
      assert.deepEqual(back, [{ ...left, active: true, floor: missed }]);
      assert.deepEqual(await tx.subscriptions.get(Ada.id, id), back[0]);
      assert.equal(left.color, '#000001');
      assert.deepEqual(
        [left.is_muted, left.pin_to_top, left.push_notifications, left.email_notifications, left.desktop_notifications],
        [true, true, false, true, null],
      );
    });
  });

  test('subscriptions are listed by user, by pairs and by channel', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const one = await createChannel(tx, 'one');
      const two = await createChannel(tx, 'two');
      await subscribe(tx, two, Bob, Ada);
      await subscribe(tx, one, Ada);
      await unsubscribe(tx, one, Ada);
      const places = (found: { user_id: number; channel_id: number }[]) =>
        found.map(({ user_id, channel_id }) => [user_id, channel_id]);
      assert.deepEqual(places(await tx.subscriptions.ofUser(Ada.id)), [[Ada.id, two]]);
      assert.deepEqual(places(await tx.subscriptions.ofUser(Ada.id, { inactive: true })), [
        [Ada.id, one],
        [Ada.id, two],
      ]);
      assert.deepEqual(await tx.subscriptions.formerOf(Ada.id), [one]);
      assert.deepEqual(
        places(await tx.subscriptions.pairs([Ada.id, Bob.id], [one, two])).sort(),
        [
          [Ada.id, one],
          [Ada.id, two],
          [Bob.id, two],
        ].sort(),
      );
      assert.deepEqual(await tx.subscriptions.pairs([], [one]), []);
      const subscribers = await tx.subscriptions.subscriberIds([one, two]);
      assert.deepEqual(subscribers.get(two), [Ada.id, Bob.id]);
      assert.deepEqual(subscribers.get(one) ?? [], []);
      // A deactivated account becomes a subscriber again when it is reactivated.
      await tx.users.deactivate([Bob.id]);
      assert.deepEqual((await tx.subscriptions.subscriberIds([two])).get(two), [Ada.id]);
      assert.deepEqual(await tx.subscriptions.allSubscriberIds(two), [Ada.id, Bob.id]);
      assert.deepEqual(await tx.subscriptions.allSubscriberIds(one), []);
    });
  });

  test('the periods of a subscription stay known after the user unsubscribed and subscribed again', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const id = await createChannel(tx, 'one');
      const next = async () => {
        await send(tx, Bob, await tx.conversations.ensureTopic(id, 'x'));
        return tx.events.tail();
      };
      const before = await next();
      await subscribe(tx, id, Ada);
      const during = await next();
      await unsubscribe(tx, id, Ada);
      const away = await next();
      await subscribe(tx, id, Ada);
      const back = await next();
      const between = (after: number, to: number, people = [Ada, Bob]) => {
        const ids = people.map((one) => one.id);
        return tx.subscriptions.periodsBetween(ids, [id, id + 1], after, to);
      };
      const at = async (seq: number) => (await between(seq - 1, seq)).map(({ user_id }) => user_id);
      assert.deepEqual(
        [await at(before), await at(during), await at(away), await at(back)],
        [[], [Ada.id], [], [Ada.id]],
      );
      assert.deepEqual(await between(during - 1, during, [Bob]), []);
      const both = (await between(before - 1, back)).sort((one, other) => one.after_seq - other.after_seq);
      assert.deepEqual(both, [
        { user_id: Ada.id, channel_id: id, after_seq: before, to_seq: during },
        { user_id: Ada.id, channel_id: id, after_seq: away, to_seq: null },
      ]);
    });
  });
}

interface Pair {
  user_id: number;
  channel_id: number;
}
