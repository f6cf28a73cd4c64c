import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import {
  type Chat,
  type Logger,
  type Mail,
  openTenants,
  type Storage,
  StorageError,
  type TenantsOptions,
} from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import { TestClock } from '../../lib/testing/testing.ts';
import { Gate } from '../support/gate.ts';
import { until } from '../support/until.ts';
import { ADA, tenantStorages } from './tenant-files.ts';

const refusal = (reason: string) => (error: unknown) => error instanceof StorageError && error.reason === reason;

async function setUp(t: TestContext) {
  const storageOf = await tenantStorages();
  const clock = new TestClock();
  const errors: { message: string; tenant?: string }[] = [];
  const logger: Logger = {
    debug() {},
    info() {},
    warn() {},
    error: (details, message) => void errors.push({ message, ...(details as { tenant?: string }) }),
  };
  /** Tenants in the order of opening. */
  const opened: string[] = [];
  const openHere = (options: Partial<TenantsOptions> = {}) => {
    const tenants = openTenants({
      storage(id) {
        opened.push(id);
        return storageOf(id);
      },
      clock,
      logger,
      // Most tests end with open tenants.
      closeTimeoutMs: 0,
      ...options,
    });
    t.after(() => tenants.close());
    return tenants;
  };
  return { storageOf, clock, errors, opened, open: openHere };
}

const hello = (content: string) => (chat: Chat) => chat.as(ADA).messages.send({ type: 'direct', to: [ADA], content });

const schedule = (clock: TestClock, seconds: number, content: string) => async (chat: Chat) => {
  const { user_id } = await chat.as(ADA).users.me();
  await chat.as(ADA).scheduledMessages.create({
    type: 'direct',
    to: [user_id],
    content,
    scheduled_delivery_timestamp: clock.now() / 1000 + seconds,
  });
};

async function contents(chat: Chat): Promise<string[]> {
  const { messages } = await chat.as(ADA).messages.list({ anchor: 'newest', num_before: 100, num_after: 0 });
  return messages.map(({ content }) => content.replaceAll(/<\/?p>/g, '')).filter((text) => !text.includes('<'));
}

/** A storage that keeps its file and whose opening can fail on request. */
function failing(storage: Storage): Storage {
  return Object.create(storage, { open: { value: () => Promise.reject(new Error('out of order')) } });
}

describe('many tenants', () => {
  test('a tenant opens with its first use, once for several uses at the same time', async (t) => {
    const { open, opened } = await setUp(t);
    const tenants = open();
    assert.deepEqual(opened, []);
    const chats = await Promise.all([1, 2, 3].map(() => tenants.with('a', (chat) => chat)));
    assert.deepEqual(opened, ['a']);
    assert.equal(new Set(chats).size, 1);
  });

  test('tenants have different data', async (t) => {
    const { open } = await setUp(t);
    const tenants = open();
    await Promise.all(['a', 'b'].map((id) => tenants.with(id, hello(`in ${id}`))));
    assert.deepEqual(await tenants.with('a', contents), ['in a']);
    assert.deepEqual(await tenants.with('b', contents), ['in b']);
  });

  test('an idle tenant closes, and the next use opens it again', async (t) => {
    const { open, opened, clock } = await setUp(t);
    const tenants = open({ idleMs: 60_000 });
    await tenants.with('a', hello('before'));
    clock.advance({ seconds: 59 });
    assert.equal(tenants.state.open, 1);
    await tenants.with('a', () => undefined);
    clock.advance({ seconds: 59 });
    assert.equal(tenants.state.open, 1);
    clock.advance({ seconds: 1 });
    await until('a closes', () => tenants.state.open === 0);
    assert.deepEqual(await tenants.with('a', contents), ['before']);
    assert.deepEqual(opened, ['a', 'a']);
  });

  test('a tenant in use stays open: idle time does not count, and no other tenant takes its place', async (t) => {
    const { open, clock } = await setUp(t);
    const tenants = open({ maxOpen: 2, idleMs: 1_000 });
    const lease = await tenants.lease('a');
    const session = lease.chat.as(ADA);
    const { queue_id, last_event_id } = await session.register();
    const poll = session.events.list({ queue_id, last_event_id });
    await until('the poll waits', () => transportOf(lease.chat).engine.hub.waiting === 1);
    clock.advance({ seconds: 10 });
    for (const id of ['b', 'c', 'd']) await tenants.with(id, hello('hi'));
    assert.equal(tenants.state.open, 2);
    await hello('for the poll')(lease.chat);
    assert.ok((await poll).events.length > 0);
    lease.release();
    lease.release();
    assert.equal(tenants.state.inUse, 0);
  });

  test('the tenant that was used least recently makes room', async (t) => {
    const { open, opened } = await setUp(t);
    const tenants = open({ maxOpen: 2 });
    for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) await tenants.with(id, () => undefined);
    assert.deepEqual(opened, ['a', 'b', 'c', 'b']);
  });

  test('if all tenants that may be open are in use, a use waits, and fails as busy in the end', async (t) => {
    const { open } = await setUp(t);
    const tenants = open({ maxOpen: 2, waitMs: 60_000 });
    const [a] = await Promise.all([tenants.lease('a'), tenants.lease('b')]);
    const order: string[] = [];
    const waiting = ['c', 'd'].map((id) => tenants.with(id, () => void order.push(id)));
    a.release();
    await Promise.all(waiting);
    assert.deepEqual(order, ['c', 'd']);
    const strict = open({ maxOpen: 1, waitMs: 20 });
    await strict.lease('x');
    await assert.rejects(
      () => strict.lease('y'),
      (error: Error) => refusal('busy')(error) && /All 1 tenants that may be open/.test(error.message),
    );
    assert.equal(strict.state.open, 1);
  });

  test('a tenant that fails to open fails its uses, and the next use opens it again', async (t) => {
    const { storageOf } = await setUp(t);
    let isBroken = true;
    const tenants = openTenants({
      storage: (id) => (isBroken ? failing(storageOf(id)) : storageOf(id)),
      maxOpen: 1,
    });
    t.after(() => tenants.close());
    const uses = await Promise.allSettled([tenants.lease('a'), tenants.lease('a'), tenants.with('a', hello('no'))]);
    for (const use of uses) assert.match(String((use as PromiseRejectedResult).reason), /out of order/);
    assert.deepEqual([tenants.state.open, tenants.state.inUse], [0, 0]);
    isBroken = false;
    assert.deepEqual(await tenants.with('a', contents), []);
  });

  test('an ID that `storage` refuses opens nothing', async (t) => {
    const { open } = await setUp(t);
    const tenants = open({
      storage(id) {
        throw new Error(`no ${id}`);
      },
    });
    await assert.rejects(() => tenants.lease('../a'), /no \.\.\/a/);
    assert.equal(tenants.state.open, 0);
  });

  test('`onOpen` runs each time before the first use; if it fails, the tenant stays closed', async (t) => {
    const { open } = await setUp(t);
    const seen: string[] = [];
    const tenants = open({
      maxOpen: 1,
      onOpen: async (chat, id) => {
        if (id === 'bad') throw new Error('not ready');
        await chat.on('event', ({ event }) => void seen.push(`${id} ${event.type}`), { event_types: ['message'] });
      },
    });
    await tenants.with('a', hello('one'));
    await assert.rejects(() => tenants.lease('bad'), /not ready/);
    await tenants.with('a', hello('two'));
    await until('the listener got both', () => seen.length === 2);
    assert.deepEqual(seen, ['a message', 'a message']);
  });
});

describe('the due work of closed tenants', () => {
  test('a scheduled message is sent when it is due, and the tenant closes again', async (t) => {
    const { open, opened, clock, errors } = await setUp(t);
    const tenants = open({ maxOpen: 1 });
    tenants.start();
    await tenants.with('a', schedule(clock, 3_600, 'later'));
    await tenants.with('b', schedule(clock, 7_200, 'much later'));
    await tenants.with('c', () => undefined);
    assert.equal(tenants.state.scheduled, 2);
    clock.advance({ minutes: 59 });
    opened.length = 0;
    clock.advance({ minutes: 1 });
    await until('a was opened and closed', () => opened.includes('a') && tenants.state.open === 0);
    assert.deepEqual(opened, ['a']);
    assert.equal(tenants.state.scheduled, 1);
    assert.deepEqual(await tenants.with('a', contents), ['later']);
    assert.deepEqual(errors, []);
  });

  test('a tenant opens for due work even if all others are in use, as soon as one of them closes', async (t) => {
    const { open, clock } = await setUp(t);
    const tenants = open({ maxOpen: 1 });
    tenants.start();
    await tenants.with('a', schedule(clock, 60, 'later'));
    const lease = await tenants.lease('b');
    clock.advance({ minutes: 1 });
    lease.release();
    await until('a has sent', async () => (await tenants.with('a', contents)).length === 1);
  });

  test('a closed tenant is not opened to free space', async (t) => {
    const { open, opened, clock } = await setUp(t);
    const tenants = open();
    tenants.start();
    await tenants.with('a', async (chat) => {
      await chat.as(ADA).register();
      await hello('an event for the log')(chat);
    });
    clock.advance({ minutes: 5 });
    await until('a closes', () => tenants.state.open === 0);
    assert.equal(tenants.state.scheduled, 0);
    clock.advance({ days: 2 });
    assert.deepEqual([opened, tenants.state.open], [['a'], 0]);
  });

  test('after a restart, all tenants of `ids` are checked for work, and overdue work is done', async (t) => {
    const { open, clock } = await setUp(t);
    const before = open();
    const all = ['a', 'b', 'c'];
    for (const id of all) await before.with(id, hello('hi'));
    await before.with('b', schedule(clock, 3_300, 'overdue'));
    await before.with('c', schedule(clock, 7_200, 'not yet'));
    await before.close();
    clock.advance({ hours: 1 });
    const tenants = open({
      ids: async function* () {
        yield* all;
      },
    });
    tenants.start();
    await until('the round is complete', () => tenants.state.isComplete && tenants.state.open === 0);
    assert.equal(tenants.state.lookedAt, 3);
    await until('b has sent', async () => (await tenants.with('b', contents)).includes('overdue'));
    clock.advance({ hours: 1 });
    await until('c has sent', async () => (await tenants.with('c', contents)).includes('not yet'));
  });

  test('a tenant that cannot be opened for a while delays only its own work', async (t) => {
    const { storageOf, open, clock, errors } = await setUp(t);
    let isBroken = false;
    const tenants = open({
      maxOpen: 1,
      storage: (id) => (isBroken && id === 'a' ? failing(storageOf(id)) : storageOf(id)),
    });
    tenants.start();
    for (const id of ['a', 'b']) await tenants.with(id, schedule(clock, 60, 'later'));
    await tenants.with('c', () => undefined);
    isBroken = true;
    clock.advance({ minutes: 1 });
    await until('b has sent', async () => (await tenants.with('b', contents)).length === 1);
    await until('the failure is logged', () => errors.some(({ tenant }) => tenant === 'a'));
    isBroken = false;
    await until('a is scheduled again', () => tenants.state.scheduled === 1);
    clock.advance({ seconds: 5 });
    await until('a has sent', async () => (await tenants.with('a', contents)).length === 1);
  });

  test('a tenant whose database does not answer delays the work of others by about a second', async (t) => {
    const { storageOf, clock, open } = await setUp(t);
    const before = open();
    await before.with('b', schedule(clock, 60, 'late'));
    await before.close();
    clock.advance({ seconds: 61 });
    const tenants = open({
      storage: (id) => (id === 'a' ? new Promise<never>(() => undefined) : storageOf(id)),
      ids: () => ['a', 'b'],
    });
    tenants.start();
    await until('the round has looked at both', () => tenants.state.isComplete, { seconds: 20 });
    await until('the message is sent', async () => (await tenants.with('b', contents)).includes('late'), {
      seconds: 20,
    });
  });

  test('without `start`, no work is done', async (t) => {
    const { open, clock } = await setUp(t);
    const tenants = open({ maxOpen: 1 });
    await tenants.with('a', schedule(clock, 60, 'later'));
    await tenants.with('b', () => undefined);
    clock.advance({ minutes: 2 });
    assert.deepEqual(await tenants.with('a', contents), []);
    tenants.start();
    await until('a has sent', async () => (await tenants.with('a', contents)).length === 1);
  });

  test('two processes on the same tenants send a message once', async (t) => {
    const { open, clock } = await setUp(t);
    const [one, other] = [open(), open()];
    one.start();
    other.start();
    for (const tenants of [one, other]) await tenants.with('a', () => undefined);
    await one.with('a', schedule(clock, 600, 'once'));
    clock.advance({ minutes: 5 });
    await until('both close', () => one.state.open + other.state.open === 0);
    assert.deepEqual([one.state.scheduled, other.state.scheduled], [1, 1]);
    clock.advance({ minutes: 5 });
    await until('it is sent', async () => (await other.with('a', contents)).length > 0);
    await until('both have looked again', () => {
      // One process may have seen the claim of the other, which ends after 30 s.
      clock.advance({ seconds: 10 });
      return one.state.scheduled + other.state.scheduled === 0;
    });
    assert.deepEqual(await one.with('a', contents), ['once']);
  });
});

describe('closing tenants', () => {
  test('`close` ends polls, lets work finish and refuses later uses', async (t) => {
    const { open } = await setUp(t);
    const tenants = open({ closeTimeoutMs: 60_000 });
    const polling = tenants.with('a', async (chat) => {
      const session = chat.as(ADA);
      const { queue_id, last_event_id } = await session.register();
      return session.events.list({ queue_id, last_event_id });
    });
    await until('the poll waits', () => tenants.with('a', (chat) => transportOf(chat).engine.hub.waiting === 1));
    let finish: (() => void) | undefined;
    const working = tenants.with('b', async (chat) => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return hello('the end')(chat);
    });
    const finishWork = await until('b is in use', () => finish);
    const closing = tenants.close();
    await polling;
    await assert.rejects(() => tenants.lease('c'), refusal('closed'));
    finishWork();
    assert.ok((await working).id > 0);
    await closing;
    assert.equal(tenants.state.open, 0);
  });

  test('`close` does not wait longer than its limit', async (t) => {
    const { open } = await setUp(t);
    const tenants = open({ closeTimeoutMs: 20 });
    const { chat } = await tenants.lease('a');
    await tenants.close();
    await assert.rejects(() => hello('too late')(chat), refusal('closed'));
  });

  test('`close` does not wait for a tenant that never opens, and closes one that opens later', async (t) => {
    const { storageOf, open, opened } = await setUp(t);
    let release: ((storage: Storage) => void) | undefined;
    const tenants = open({
      closeTimeoutMs: 20,
      storage: (id) => {
        opened.push(id);
        return new Promise((resolve) => {
          release = resolve;
        });
      },
    });
    const use = tenants.with('a', hello('late'));
    await until('a opens', () => opened.length > 0);
    await tenants.close();
    assert.equal(tenants.state.open, 1);
    release?.(await storageOf('a'));
    assert.ok((await use).id > 0);
    await until('it has closed', () => tenants.state.open === 0);
  });

  test('tenants share `mail`, which is closed once, with all of them', async (t) => {
    const { open } = await setUp(t);
    let closings = 0;
    const mail: Mail = { send: async () => undefined, close: async () => void closings++ };
    const tenants = open({ maxOpen: 1, chatOptions: () => ({ mail }) });
    for (const id of ['a', 'b', 'c']) await tenants.with(id, () => undefined);
    assert.equal(closings, 0);
    await tenants.close();
    await tenants.close();
    assert.equal(closings, 1);
  });

  test('`forget` closes a tenant, and its work is no longer due', async (t) => {
    const { open, opened, clock } = await setUp(t);
    const tenants = open();
    tenants.start();
    await tenants.with('a', schedule(clock, 60, 'never'));
    await tenants.forget('a');
    assert.deepEqual([tenants.state.open, tenants.state.scheduled], [0, 0]);
    clock.advance({ minutes: 2 });
    assert.deepEqual(opened, ['a']);
  });

  test('`forget` stops work that is due and waits for another tenant', async (t) => {
    const { open, opened, clock, storageOf } = await setUp(t);
    const gate = new Gate();
    t.after(() => gate.open());
    let isLate = false;
    const tenants = open({
      // Background work takes one of two slots.
      maxOpen: 2,
      idleMs: 1_000,
      async storage(id) {
        opened.push(id);
        if (isLate) await gate.opened;
        return storageOf(id);
      },
    });
    tenants.start();
    for (const id of ['a', 'b']) await tenants.with(id, schedule(clock, 60, 'late'));
    clock.advance({ seconds: 5 });
    await until('both are closed', () => tenants.state.open === 0 && tenants.state.scheduled === 2);
    isLate = true;
    clock.advance({ minutes: 2 });
    await until('the work of one waits', () => opened.length === 3);
    const first = opened[2] as string;
    await tenants.forget(first === 'a' ? 'b' : 'a');
    gate.open();
    await until('the work of the first is done', () => tenants.state.open === 0);
    assert.deepEqual(await tenants.with(first, contents), ['late']);
    assert.deepEqual(opened.slice(2), [first, first]);
    assert.equal(tenants.state.scheduled, 0);
  });
});
