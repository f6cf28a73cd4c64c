import assert from 'node:assert/strict';
import type { EventDraft, LoggedEvent } from '../../lib/storage/interface/events.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { Gate } from '../support/gate.ts';
import {
  createChannel,
  createUsers,
  draft,
  holdUntil,
  newQueue,
  newUser,
  openFounded,
  subscribe,
  unsubscribe,
} from './fixtures.ts';

const notes = (events: readonly LoggedEvent[]) => events.map(({ event }) => event.note);

export function logContract(engine: Engine): void {
  const test = testOn(engine);
  test('events are read back with all their fields, in ascending order', async (t) => {
    const { storage } = await openFounded(t, engine);
    const drafts: EventDraft[] = [
      draft('one', { scope: 'everyone' }),
      {
        audience: { scope: 'members', channel: 7, users: [3, 1], except: [2] },
        event: { type: 'message', op: 'add', note: 'Zwei 🐙 ?', nested: { a: [1, null, 'x'] } },
        forQueue: { queue_id: 'q', fields: { local_message_id: '7.01' } },
        forUsers: { 3: { flags: ['mentioned'] } },
      },
      draft('three', { users: [1] }),
    ];
    await storage.write((tx) => tx.events.append(drafts, 5));
    const logged = await storage.read((tx) => tx.events.since(0, 10));
    const places = logged.map(({ seq }) => seq);
    assert.deepEqual(
      logged.map(({ seq: _, created_ms: __, size: ___, ...rest }) => rest),
      drafts,
    );
    assert.deepEqual(
      [...new Set(places)].sort((one, other) => one - other),
      places,
    );
    await storage.read(async (tx) => {
      assert.deepEqual(await tx.events.since(places[0] ?? 0, 1), [logged[1]]);
      assert.equal(await tx.events.tail(), places[2]);
      const [message] = await tx.events.ofType('message', 0);
      assert.deepEqual([message?.seq, message?.event], [places[1], drafts[1]?.event]);
      assert.deepEqual(await tx.events.ofType('message', places[1] ?? 0), []);
    });
  });

  test('each event of a change reaches its own users, however many events the change has', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cleo } = await createUsers(tx, 'Ada', 'Bob', 'Cleo');
      const expected = { [Ada.id]: [] as string[], [Bob.id]: [] as string[], [Cleo.id]: [] as string[] };
      for (let count = 1; count <= 7; count++) {
        const drafts = Array.from({ length: count }, (_, at) => {
          const users = [[Ada.id], [Bob.id, Ada.id, Bob.id], [], [Cleo.id, Ada.id, Bob.id]][(at + count) % 4] ?? [];
          const note = `${at} of ${count}`;
          for (const user of new Set(users)) expected[user]?.push(note);
          return draft(note, { users });
        });
        await tx.events.append(drafts, 5);
      }
      for (const user of [Ada, Bob, Cleo]) {
        assert.deepEqual(notes((await tx.events.forUser(user, 0, 100)).events), expected[user.id]);
      }
    });
  });

  test('an empty event log ends at 0, and appending no events leaves it there', async (t) => {
    const { storage } = await openFounded(t, engine);
    assert.equal(await storage.read((tx) => tx.events.tail()), 0);
    await storage.write((tx) => tx.events.append([], 5));
    assert.equal(await storage.read((tx) => tx.events.tail()), 0);
  });

  test('the audience of an event is everyone, members or listed users, without the excepted ones', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const guest = await tx.users.create(newUser('Guest', { role: 600 }));
      await tx.events.append(
        [
          draft('everyone', { scope: 'everyone' }),
          draft('members', { scope: 'members' }),
          draft('named', { users: [Ada.id, guest.id] }),
          draft('members and the guest', { scope: 'members', users: [guest.id] }),
          draft('but Ada', { scope: 'everyone', users: [Ada.id], except: [Ada.id] }),
          draft('nobody', {}),
        ],
        5,
      );
      const of = async (user: typeof Ada, limit = 100) => notes((await tx.events.forUser(user, 0, limit)).events);
      assert.deepEqual(await of(Ada), ['everyone', 'members', 'named', 'members and the guest']);
      assert.deepEqual(await of(Bob), ['everyone', 'members', 'members and the guest', 'but Ada']);
      assert.deepEqual(await of(guest), ['everyone', 'named', 'members and the guest', 'but Ada']);
      assert.deepEqual(await of(guest, 2), ['everyone', 'named']);
    });
  });

  test('the limit of a read counts the events that the user receives', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      for (let round = 0; round < 5; round++) {
        await tx.events.append(
          [
            draft(`no ${round}`, { scope: 'everyone', except: [Ada.id] }),
            draft(`yes ${round}`, { scope: 'everyone', except: [Bob.id] }),
          ],
          5,
        );
      }
      const first = (await tx.events.forUser(Ada, 0, 3)).events;
      assert.deepEqual(notes(first), ['yes 0', 'yes 1', 'yes 2']);
      const rest = (await tx.events.forUser(Ada, first.at(-1)?.seq ?? 0, 100)).events;
      assert.deepEqual(notes(rest), ['yes 3', 'yes 4']);
    });
  });

  test('long events are read in parts of at most 200, and each part says whether more follow', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const text = 'x'.repeat(100_000);
      const drafts = Array.from({ length: 250 }, (_, n) => draft(`${n} ${text}`, { scope: 'everyone' }));
      await tx.events.append(drafts, 5);
      const seen: string[] = [];
      for (let from = 0, more = true; more; ) {
        const part = await tx.events.forUser(Ada, from, 1_000);
        assert.ok(part.events.length <= 200, `${part.events.length} events at once`);
        seen.push(...notes(part.events).map((note) => String(note).split(' ', 1)[0] as string));
        from = part.events.at(-1)?.seq ?? from;
        more = part.more;
      }
      assert.deepEqual(
        seen,
        drafts.map((_, n) => `${n}`),
      );
    });
  });

  test('a channel event reaches users subscribed when it happened, also after they unsubscribed', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const channel = await createChannel(tx, 'one');
      const say = (note: string, audience: EventDraft['audience'] = { channel }) =>
        tx.events.append([draft(note, audience)], 5);
      await say('before');
      await subscribe(tx, channel, Ada);
      await say('first');
      await unsubscribe(tx, channel, Ada);
      await say('away');
      await subscribe(tx, channel, Ada);
      await say('back');
      await say('not for Ada', { channel, except: [Ada.id] });
      await unsubscribe(tx, channel, Ada);
      await say('gone');
      assert.deepEqual(notes((await tx.events.forUser(Ada, 0, 100)).events), ['first', 'back']);
      assert.deepEqual(notes((await tx.events.forUser(Bob, 0, 100)).events), []);
    });
  });

  test('an event in the transaction that subscribes a user reaches the user, one that unsubscribes does not', async (t) => {
    const { storage } = await openFounded(t, engine);
    const { Ada, channel } = await storage.write(async (tx) => ({
      ...(await createUsers(tx, 'Ada')),
      channel: await createChannel(tx, 'one'),
    }));
    await storage.write(async (tx) => {
      await subscribe(tx, channel, Ada);
      await tx.events.append([draft('joined', { channel })], 5);
    });
    await storage.write(async (tx) => {
      await unsubscribe(tx, channel, Ada);
      await tx.events.append([draft('left', { channel })], 5);
    });
    assert.deepEqual(notes((await storage.read((tx) => tx.events.forUser(Ada, 0, 100))).events), ['joined']);
  });

  test('trimming the event log removes old events that are not needed, and positions keep rising', async (t) => {
    const { storage } = await openFounded(t, engine);
    const seqs: number[] = [];
    for (const at of [100, 200, 300]) {
      await storage.write((tx) => tx.events.append([draft(`${at}`, { users: [1] })], at));
      seqs.push(await storage.read((tx) => tx.events.tail()));
    }
    const [first = 0, second = 0, third = 0] = seqs;
    await storage.write(async (tx) => {
      assert.equal(await tx.events.trim(first, 1_000, 10), 0);
      assert.equal(await tx.events.trim(third + 1, 100, 10), 0);
      assert.equal(await tx.events.trim(second, 1_000, 10), 1);
      assert.deepEqual(notes(await tx.events.since(0, 10)), ['200', '300']);
      assert.equal(await tx.events.trim(third + 1, 1_000, 10), 1);
      assert.equal(await tx.events.trim(Number.MAX_SAFE_INTEGER, 1_000, 10), 0);
      assert.equal(await tx.events.tail(), third);
      await tx.events.append([draft('next', { users: [1] })], 400);
      assert.ok((await tx.events.tail()) > third);
    });
  });

  test('trimming the event log removes the oldest events up to the limit, with their recipients', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      assert.equal(await tx.events.oldest(), undefined);
      await tx.events.append([draft('1', { users: [Ada.id] })], 10);
      const first = await tx.events.tail();
      assert.equal(await tx.events.oldest(), undefined, 'the newest event is never trimmed');
      await tx.events.append(
        ['2', '3', '4'].map((note) => draft(note, { users: [Ada.id] })),
        20,
      );
      assert.deepEqual({ ...(await tx.events.oldest()) }, { seq: first, created_ms: 10 });
      assert.equal(await tx.events.trim(1_000, 1_000, 2), 2);
      assert.deepEqual(notes((await tx.events.forUser(Ada, 0, 10)).events), ['3', '4']);
      assert.equal(await tx.events.trim(1_000, 1_000, 2), 1);
      assert.deepEqual(notes((await tx.events.forUser(Ada, 0, 10)).events), ['4']);
    });
  });

  test('an event queue is read back with all its fields', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const queue = newQueue('a:1', Ada.id, {
        event_types: ['message', 'user_topic'],
        narrow: [
          ['channel', 'Ärger'],
          ['is', 'starred'],
        ],
        all_public_streams: true,
        options: { apply_markdown: true, client_capabilities: { bulk: false } },
        start_seq: 3,
        acked_seq: 4,
      });
      await tx.queues.create(queue);
      await tx.queues.create(newQueue('b', Ada.id));
      assert.deepEqual(await tx.queues.byId('a:1'), queue);
      assert.deepEqual(await tx.queues.byId('b'), newQueue('b', Ada.id));
      assert.equal(await tx.queues.byId('c'), undefined);
      assert.equal(await tx.queues.remove('b'), true);
      assert.equal(await tx.queues.remove('b'), false);
    });
  });

  test('touching a queue never moves its position back, and delays its expiry', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      await tx.queues.create(newQueue('a', Ada.id, { acked_seq: 4 }));
      assert.equal(await tx.queues.nextExpiry(), 1_600_000);
      assert.equal(await tx.queues.touch('a', 9, 2_000_000), true);
      await tx.queues.touch('a', 6, 3_000_000);
      assert.equal(await tx.queues.touch('b', 6, 3_000_000), false);
      const { acked_seq, last_used_ms } = (await tx.queues.byId('a')) ?? assert.fail();
      assert.deepEqual([acked_seq, last_used_ms], [9, 3_000_000]);
      assert.equal(await tx.queues.nextExpiry(), 3_600_000);
    });
  });

  test('idle queues are removed after their lifespan, and all queues of a user on request', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      assert.equal(await tx.queues.nextExpiry(), undefined);
      assert.equal(await tx.queues.oldestNeeded(), undefined);
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      await tx.queues.create(newQueue('short', Ada.id, { lifespan: 10, acked_seq: 2 }));
      await tx.queues.create(newQueue('long', Ada.id, { lifespan: 100, acked_seq: 7 }));
      await tx.queues.create(newQueue('other', Bob.id, { lifespan: 100, acked_seq: 5 }));
      assert.equal(await tx.queues.oldestNeeded(), 2);
      assert.deepEqual(await tx.queues.removeExpired(1_009_999, 10), []);
      assert.deepEqual(await tx.queues.removeExpired(1_010_001, 10), ['short']);
      assert.equal(await tx.queues.oldestNeeded(), 5);
      await tx.queues.removeOfUsers([Bob.id]);
      assert.equal(await tx.queues.oldestNeeded(), 7);
      assert.equal(await tx.queues.byId('other'), undefined);
    });
  });

  test('queues beyond a limit are removed, least recently used first, for one user or all users', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      for (const last_used_ms of [30, 10, 20]) {
        await tx.queues.create(newQueue(`ada ${last_used_ms}`, Ada.id, { last_used_ms }));
      }
      await tx.queues.create(newQueue('bob', Bob.id, { last_used_ms: 5 }));
      assert.deepEqual(await tx.queues.removeSurplus(Ada.id, 3), []);
      assert.deepEqual(await tx.queues.removeSurplus(Ada.id, 2), ['ada 10']);
      assert.deepEqual(await tx.queues.removeCrowd(3, 10), []);
      assert.deepEqual(await tx.queues.removeCrowd(1, 1), ['ada 20']);
      assert.deepEqual(await tx.queues.removeCrowd(1, 1), ['bob']);
    });
  });

  test('of queues last used at the same time, the one registered last is kept', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      for (const [id, start_seq] of [
        ['b', 2],
        ['a', 1],
        ['c', 3],
      ] as const) {
        await tx.queues.create(newQueue(id, Ada.id, { start_seq }));
      }
      assert.deepEqual(await tx.queues.removeSurplus(Ada.id, 2), ['a']);
      assert.deepEqual(await tx.queues.removeSurplus(Ada.id, 1), ['b']);
    });
  });

  test('queues that are behind a position are removed, the furthest behind first', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      for (const acked_seq of [7, 3, 5]) await tx.queues.create(newQueue(`${acked_seq}`, Ada.id, { acked_seq }));
      assert.deepEqual(await tx.queues.removeBehind(3, 10), []);
      assert.deepEqual(await tx.queues.removeBehind(7, 1), ['3']);
      assert.deepEqual(await tx.queues.removeBehind(7, 10), ['5']);
    });
  });

  test('a read of events can be limited to types and to a last position', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const everyone = { scope: 'everyone' } as const;
      const drafts = ['message', 'typing', 'message', 'presence', 'message', 'typing'].map((type, at) => ({
        audience: everyone,
        event: { type, note: `${type} ${at}` },
      }));
      await tx.events.append(drafts, 5);
      await tx.events.append(drafts.slice(0, 2), 5);
      const tail = await tx.events.tail();
      const of = async (selection: Parameters<typeof tx.events.forUser>[3]) =>
        notes((await tx.events.forUser(Ada, 0, 100, selection)).events);
      assert.equal((await of({ types: null })).length, 8);
      assert.deepEqual(await of({ types: ['typing', 'presence'] }), ['typing 1', 'presence 3', 'typing 5', 'typing 1']);
      assert.deepEqual(await of({ types: ['message'], toSeq: tail - 3 }), ['message 0', 'message 2', 'message 4']);
      assert.deepEqual(await of({ types: [] }), []);
    });
  });

  test('expired queues are removed oldest first, up to the limit of a call', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      for (const lifespan of [30, 10, 20]) await tx.queues.create(newQueue(`${lifespan}`, Ada.id, { lifespan }));
      assert.deepEqual((await tx.queues.removeExpired(2_000_000, 2)).sort(), ['10', '20']);
      assert.deepEqual(await tx.queues.removeExpired(2_000_000, 2), ['30']);
    });
  });

  test('a queue touched during the removal of expired queues is kept', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const other = await reopen();
    const { Ada } = await storage.write((tx) => createUsers(tx, 'Ada'));
    await storage.write((tx) => tx.queues.create(newQueue('a', Ada.id, { lifespan: 10 })));
    const touched = new Gate();
    let isRemoved = false;
    const touching = storage.write(async (tx) => {
      await tx.queues.touch('a', 1, 5_000_000);
      touched.open();
      // On SQLite the removal waits until this write ends.
      await holdUntil(tx, () => isRemoved || engine.name !== 'PostgreSQL');
    }, 'mark');
    await touched.opened;
    const removing = other.write((tx) => tx.queues.removeExpired(2_000_000, 10), 'mark');
    assert.deepEqual(await removing, []);
    isRemoved = true;
    await touching;
    assert.equal((await storage.read((tx) => tx.queues.byId('a')))?.last_used_ms, 5_000_000);
  });
}
