import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { EventHub } from '../../lib/events/hub.ts';
import { type QueueRead, type Received, Subscription } from '../../lib/events/subscription.ts';
import type { User } from '../../lib/model/users.ts';
import type { Audience } from '../../lib/storage/interface/events.ts';
import { OrganizationCache } from '../../lib/viewer/versioned-caches.ts';
import {
  createChannel,
  createUsers,
  draft,
  newQueue,
  newUser,
  openFounded,
  subscribe,
  unsubscribe,
} from '../contract/fixtures.ts';
import { engines, testOn } from '../support/engines.ts';
import { Gate } from '../support/gate.ts';

const notes = (received: Received) =>
  typeof received === 'string' ? received : received.events.map(({ event }) => event.note);

const silent = { debug() {}, info() {}, warn() {}, error() {} };

async function waitFor(
  hub: EventHub,
  queueId: string,
  commitCount: number,
  given: Partial<QueueRead> = {},
): Promise<Received> {
  const subscription = new Subscription({
    queue: newQueue(queueId, 1),
    reader: { ...newUser('Nobody'), profile_data: '{}', id: 1, version: 1 },
    usersVersion: 1,
    publicFeed: 'none',
    seq: 0,
    last: 0,
    commitCount,
    accepts: () => true,
    ...given,
  });
  return hub.open(subscription) ? subscription.next(subscription.seq, { milliseconds: 5_000 }) : 'closed';
}

for (const engine of engines) {
  const test = testOn(engine);
  const opened = async (t: TestContext) => {
    const { storage } = await openFounded(t, engine);
    const hub = new EventHub(storage, silent, new OrganizationCache(() => 'http://localhost'));
    t.after(() => hub.close());
    const append = () => storage.write((tx) => tx.events.append([draft('news', { scope: 'everyone' })], 1));
    const wait = (queueId: string, commitCount: number, given: Partial<QueueRead> = {}) =>
      waitFor(hub, queueId, commitCount, given);
    return { storage: storage as typeof storage & { statements: number }, hub, append, wait };
  };

  test(`on ${engine.name} a commit between reading the log and waiting wakes the poll`, async (t) => {
    const { hub, append, wait } = await opened(t);
    const { commitCount } = hub;
    await append();
    hub.wake();
    assert.deepEqual(notes(await wait('first', commitCount)), ['news']);
  });

  test(`on ${engine.name} a commit noticed after the wait began wakes the poll`, async (t) => {
    const { hub, append, wait } = await opened(t);
    const { commitCount } = hub;
    await append();
    const waiting = wait('first', commitCount);
    hub.wake();
    assert.deepEqual(notes(await waiting), ['news']);
  });

  test(`on ${engine.name} starting to wait runs no statement if nothing was committed`, async (t) => {
    const { storage, hub, wait } = await opened(t);
    hub.wake();
    const before = storage.statements;
    const waiting = Promise.all([wait('first', hub.commitCount), wait('second', hub.commitCount)]);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    assert.equal(storage.statements, before);
    hub.close();
    assert.deepEqual(await waiting, ['superseded', 'superseded']);
  });

  test(`on ${engine.name} only the poll of a changed user reads again, and others receive their events`, async (t) => {
    const { storage, hub, append, wait } = await opened(t);
    const users = await storage.write((tx) => createUsers(tx, 'Ada', 'Bob'));
    const { users_version } = (await storage.read((tx) => tx.organization.versions())) ?? assert.fail();
    const as = (reader: User) => ({ reader, usersVersion: users_version });
    const [changed, unchanged] = [
      wait('ada', hub.commitCount, as(users.Ada)),
      wait('bob', hub.commitCount, as(users.Bob)),
    ];
    await storage.write((tx) => tx.users.update(users.Ada.id, { role: 600 }));
    await append();
    hub.wake();
    assert.equal(await changed, 'closed');
    assert.deepEqual(notes(await unchanged), ['news']);
  });

  test(`on ${engine.name} a poll that returns late receives more events than fit in one response, in several`, async (t) => {
    const { storage, hub, append, wait } = await opened(t);
    const users = await storage.write((tx) => createUsers(tx, 'Ada', 'Bob'));
    const { users_version } = (await storage.read((tx) => tx.organization.versions())) ?? assert.fail();
    const first = wait('ada', hub.commitCount, { reader: users.Ada, usersVersion: users_version });
    const last = wait('bob', hub.commitCount, {
      reader: users.Bob,
      usersVersion: users_version,
      accepts: ({ event }) => event.note === 'last',
    });
    await append();
    hub.wake();
    assert.deepEqual(notes(await first), ['news']);
    const missed = [...Array.from({ length: 1_100 }, (_, at) => String(at)), 'last'];
    await storage.write((tx) =>
      tx.events.append(
        missed.map((note) => draft(note, { scope: 'everyone' })),
        1,
      ),
    );
    hub.wake();
    assert.deepEqual(notes(await last), ['last']);
    const got: unknown[] = [];
    let seq = await storage.read(async (tx) => (await tx.events.tail()) - missed.length);
    while (got.length < missed.length) {
      const subscription = hub.find('ada') ?? assert.fail('the events must still be in memory');
      const received = await subscription.next(seq, { milliseconds: 5_000 });
      if (typeof received === 'string') assert.fail(`${received} after ${got.length} events`);
      got.push(...received.events.map(({ event }) => event.note));
      seq = received.events.at(-1)?.seq as number;
    }
    assert.deepEqual(got, missed);
  });

  test(`on ${engine.name} a poll that begins while the log is read for others is closed, and reads it itself`, async (t) => {
    const { storage } = await openFounded(t, engine);
    const [begun, released] = [new Gate(), new Gate()];
    const slow: typeof storage = Object.create(storage, {
      read: {
        value: async (work: Parameters<typeof storage.read>[0]) => {
          begun.open();
          await released.opened;
          return storage.read(work);
        },
      },
    });
    const hub = new EventHub(slow, silent, new OrganizationCache(() => 'http://localhost'));
    t.after(() => hub.close());
    const users = await storage.write((tx) => createUsers(tx, 'Ada', 'Bob'));
    const usersVersion = (await storage.read((tx) => tx.organization.versions()))?.users_version as number;
    const wait = (reader: User) => waitFor(hub, reader.full_name, hub.commitCount, { reader, usersVersion });
    const waiting = wait(users.Ada);
    await storage.write((tx) => tx.events.append([draft('news', { users: [users.Bob.id] })], 1));
    hub.wake();
    await begun.opened;
    const joining = wait(users.Bob);
    released.open();
    assert.equal(await joining, 'closed');
    hub.close();
    assert.equal(await waiting, 'superseded');
  });

  test(`on ${engine.name} a poll that has read as far as the previous one of its queue gets what followed from memory`, async (t) => {
    const { storage, hub, append, wait } = await opened(t);
    const commit = async () => {
      await append();
      hub.wake();
    };
    const first = wait('first', hub.commitCount);
    await commit();
    assert.deepEqual(notes(await first), ['news']);
    const seq = await storage.read((tx) => tx.events.tail());
    const other = wait('other', hub.commitCount, { seq });
    await commit();
    assert.deepEqual(notes(await other), ['news']);
    assert.deepEqual(notes(await wait('first', hub.commitCount, { seq, last: seq })), ['news']);
  });

  test(`on ${engine.name} the log is awaited while a reader waits or a listener is registered`, async (t) => {
    const { hub, wait } = await opened(t);
    assert.equal(hub.isAwaited, false);
    const removeListener = hub.onWake(() => undefined);
    assert.equal(hub.isAwaited, true);
    removeListener();
    assert.equal(hub.isAwaited, false);
    const waiting = wait('first', hub.commitCount);
    assert.equal(hub.isAwaited, true);
    hub.close();
    assert.equal(await waiting, 'superseded');
  });

  test(`on ${engine.name} a poll authorized under an older users_version reads again`, async (t) => {
    const { storage, hub, append, wait } = await opened(t);
    const users = await storage.write((tx) => createUsers(tx, 'Ada', 'Bob'));
    const version = async () => (await storage.read((tx) => tx.organization.versions()))?.users_version as number;
    const before = await version();
    await storage.write((tx) => tx.users.update(users.Ada.id, { role: 600 }));
    const waiting = wait('bob', hub.commitCount, { reader: users.Bob, usersVersion: await version() });
    assert.equal(await wait('ada', hub.commitCount, { reader: users.Ada, usersVersion: before }), 'closed');
    await append();
    hub.wake();
    assert.deepEqual(notes(await waiting), ['news']);
  });

  test(`on ${engine.name} events of 20 channels take as many statements as events of one`, async (t) => {
    const { storage, hub, wait } = await opened(t);
    const cost = async (channels: number) => {
      const { Ada, ids } = await storage.write(async (tx) => {
        const name = `Ada${channels}`;
        const { [name]: Ada } = await createUsers(tx, name);
        const ids: number[] = [];
        for (let n = 0; n < channels; n++) ids.push(await createChannel(tx, `of ${channels}, ${n}`));
        for (const id of ids) await subscribe(tx, id, Ada as User);
        return { Ada: Ada as User, ids };
      });
      const { users_version } = (await storage.read((tx) => tx.organization.versions())) ?? assert.fail();
      const seq = await storage.read((tx) => tx.events.tail());
      const waiting = wait(`queue ${channels}`, hub.commitCount, { reader: Ada, usersVersion: users_version, seq });
      await storage.write((tx) =>
        tx.events.append(
          ids.map((channel) => draft(`in ${channel}`, { channel })),
          1,
        ),
      );
      const before = storage.statements;
      hub.wake();
      assert.deepEqual(
        notes(await waiting),
        ids.map((id) => `in ${id}`),
      );
      return storage.statements - before;
    };
    // The first call also reads the organization.
    await cost(2);
    const one = await cost(1);
    assert.equal(await cost(20), one);
  });

  test(`on ${engine.name} users subscribed or unsubscribed between two events of a batch receive only their own`, async (t) => {
    const { storage, hub, wait } = await opened(t);
    const { users, channel } = await storage.write(async (tx) => {
      const users = await createUsers(tx, 'Ada', 'Bob', 'Cleo');
      const channel = await createChannel(tx, 'one');
      for (const user of [users.Ada, users.Bob]) await subscribe(tx, channel, user);
      return { users, channel };
    });
    const { users_version } = (await storage.read((tx) => tx.organization.versions())) ?? assert.fail();
    const waiting = Object.values(users).map((reader) =>
      wait(reader.full_name, hub.commitCount, { reader, usersVersion: users_version }),
    );
    const say = (note: string) => storage.write((tx) => tx.events.append([draft(note, { channel })], 1));
    await say('first');
    await storage.write(async (tx) => {
      await unsubscribe(tx, channel, users.Bob);
      await subscribe(tx, channel, users.Cleo);
    });
    await say('second');
    hub.wake();
    assert.deepEqual((await Promise.all(waiting)).map(notes), [['first', 'second'], ['first'], ['second']]);
  });

  test(`on ${engine.name} an event whose audience names a user several times reaches the poll of the user once`, async (t) => {
    const { storage, hub, wait } = await opened(t);
    const { users, channel } = await storage.write(async (tx) => {
      const users = await createUsers(tx, 'Ada', 'Bob');
      const channel = await createChannel(tx, 'one');
      await subscribe(tx, channel, users.Ada);
      return { users, channel };
    });
    const { users_version } = (await storage.read((tx) => tx.organization.versions())) ?? assert.fail();
    const waiting = Object.values(users).map((reader) =>
      wait(reader.full_name, hub.commitCount, { reader, usersVersion: users_version }),
    );
    const audiences: Audience[] = [
      { scope: 'everyone', users: [users.Ada.id] },
      { scope: 'members', channel },
      { channel, users: [users.Ada.id, users.Bob.id] },
    ];
    await storage.write((tx) =>
      tx.events.append(
        audiences.map((audience, at) => draft(String(at), audience)),
        1,
      ),
    );
    hub.wake();
    assert.deepEqual((await Promise.all(waiting)).map(notes), [
      ['0', '1', '2'],
      ['0', '1', '2'],
    ]);
  });

  test(`on ${engine.name} only changed users who wait are read, and polls of unchanged users are answered`, async (t) => {
    const { storage, hub, append, wait } = await opened(t);
    const users = await storage.write((tx) => createUsers(tx, 'Ada', 'Bob', 'Cleo'));
    const version = async () => (await storage.read((tx) => tx.organization.versions()))?.users_version as number;
    const before = await version();
    await storage.write(async (tx) => {
      for (const { id } of [users.Ada, users.Bob]) await tx.users.update(id, { role: 600 });
    });
    const among = await storage.read((tx) => tx.users.changedAmong([users.Ada.id, users.Cleo.id], before));
    assert.deepEqual(
      among.map(({ id }) => id),
      [users.Ada.id],
    );
    const unchanged = wait('cleo', hub.commitCount, { reader: users.Cleo, usersVersion: before });
    await append();
    hub.wake();
    assert.deepEqual(notes(await unchanged), ['news']);
  });
}
