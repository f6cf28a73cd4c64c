import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, describe, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ChatOptions,
  connect,
  type Mail,
  openChat,
  type PushRelay,
  type QueuedEvent,
  type Session,
  smtp,
  sqlite,
} from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import { serve } from '../../server/index.ts';
import { compiledProgram } from '../programs.ts';
import { testOn, withoutPostgres } from '../support/engines.ts';
import { Gate } from '../support/gate.ts';
import { untilPollsWait } from '../support/polls.ts';
import { postgresPlace } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { bothEngines, type WorldEngine } from '../world/copies.ts';
import { PASSWORD } from '../world/fixture.ts';
import { openWorld } from '../world/world.ts';

// Keeps this process alive until the tests end. Closed polls do not.
const alive = setInterval(() => undefined, 60_000);
after(() => clearInterval(alive));

async function opened(t: TestContext, engine: WorldEngine, options: Partial<ChatOptions> = {}) {
  const place = await engine.place();
  t.after(() => place.remove());
  const timers = countTimers(t);
  const world = await openWorld(place.fixture, place.storage(), options);
  t.after(() => world.close());
  /** The next expiry of a stored queue, read by another storage. */
  const queues = async () => {
    const storage = place.storage();
    await storage.open();
    try {
      return await storage.read((tx) => tx.queues.nextExpiry());
    } finally {
      await storage.close();
    }
  };
  /** Until the chat has this number of timers. Those of statements on PostgreSQL end with their answers. */
  const untilTimers = (count: number) => until(`${count} timers`, () => timers() === count, { seconds: 20 });
  return { ...world, queues, untilTimers, waiting: () => transportOf(world.chat).engine.hub.waiting };
}

/** Counts timers of this test that keep the process alive. Node lists those of earlier files too. */
function countTimers(t: TestContext): () => number {
  const made: NodeJS.Timeout[] = [];
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const make: (...given: never[]) => NodeJS.Timeout = globalThis[name];
    t.mock.method(globalThis, name, (...given: never[]) => {
      const timer = make(...given);
      made.push(timer);
      return timer;
    });
  }
  // Node sets it when a timer has ended. `hasRef` stays true.
  return () => made.filter((timer) => timer.hasRef() && !Reflect.get(timer, '_destroyed')).length;
}

/** Listens until the iteration ends. */
async function listened(session: Session): Promise<QueuedEvent[]> {
  const seen: QueuedEvent[] = [];
  for await (const event of session.listen()) seen.push(event);
  return seen;
}

for (const engine of bothEngines) {
  const test = testOn(engine);
  describe(`closing a chat on ${engine.name}`, () => {
    test('a listener ends with the chat, deletes its queue and leaves no timer', async (t) => {
      const world = await opened(t, engine);
      await world.as('hamlet').register();
      const listening = [listened(world.as('hamlet')), listened(world.as('cordelia'))];
      await untilPollsWait(world.chat, 2);
      await world.untilTimers(2);
      await world.chat.close();
      assert.equal(world.waiting(), 0);
      await world.untilTimers(0);
      assert.deepEqual(await Promise.all(listening), [[], []]);
    });

    test('a listener ends at once while close waits for an e-mail', async (t) => {
      const sent = new Gate();
      t.after(() => sent.open());
      const begun = new Gate();
      const send = async () => {
        begun.open();
        await sent.opened;
      };
      const world = await opened(t, engine, { mail: { send, close: async () => undefined } });
      await world.chat.anonymous().fetchApiKey({ username: world.emails.hamlet, password: PASSWORD });
      const working = world.chat.runDue();
      await begun.opened;
      const listening = listened(world.as('hamlet'));
      await untilPollsWait(world.chat, 1);
      const closing = world.chat.close();
      const ended = await Promise.race([listening.then(() => 'ended'), sleep(60_000, 'listens on', { ref: false })]);
      sent.open();
      await Promise.all([working, closing]);
      assert.equal(ended, 'ended');
      assert.equal(world.waiting(), 0);
      await world.untilTimers(0);
    });

    test('a listener that reads the log while the chat closes leaves no waiting poll and no timer', async (t) => {
      const world = await opened(t, engine);
      const { queue_id } = await world.as('hamlet').register();
      const poll = world.as('hamlet').events.list({ queue_id, last_event_id: -1 });
      const listening = listened(world.as('cordelia'));
      const closing = world.chat.close();
      const outcomes = await Promise.allSettled([poll, listening, closing]);
      assert.equal(world.waiting(), 0);
      await world.untilTimers(0);
      assert.equal(outcomes[2].status, 'fulfilled');
    });

    test('a client that polls in a loop is refused once the chat closes', async (t) => {
      const world = await opened(t, engine);
      const { queue_id } = await world.as('hamlet').register();
      let polls = 0;
      const polling = (async () => {
        for (;;) {
          polls++;
          await world.as('hamlet').events.list({ queue_id, last_event_id: -1 });
        }
      })();
      await untilPollsWait(world.chat, 1);
      await Promise.all([world.chat.close(), assert.rejects(polling, { name: 'StorageError', reason: 'closed' })]);
      assert.ok(polls <= 2, `${polls} polls`);
      await world.untilTimers(0);
    });

    test('the queue of a listener is deleted when the chat closes', async (t) => {
      const world = await opened(t, engine);
      const listening = listened(world.as('hamlet'));
      await untilPollsWait(world.chat, 1);
      await world.chat.close();
      await listening;
      assert.equal(await world.queues(), undefined);
    });

    test('a session over HTTP that listens closes at once and deletes its queue', async (t) => {
      const world = await opened(t, engine);
      const running = await serve(world.chat, { port: 0 });
      t.after(() => running.close());
      const { hamlet: email } = world.emails;
      const session = connect({ site: running.url, email, api_key: await world.chat.apiKeyOf(email) });
      const listening = listened(session);
      await untilPollsWait(world.chat, 1);
      await session.close();
      assert.deepEqual(await listening, []);
      await until('no poll waits', () => world.waiting() === 0, { seconds: 20 });
      await running.close();
      await world.chat.close();
      assert.equal(await world.queues(), undefined);
    });

    test('a server with listening sessions closes at once, and so does its chat', async (t) => {
      const world = await opened(t, engine);
      const running = await serve(world.chat, { port: 0 });
      const { hamlet: email } = world.emails;
      const session = connect({ site: running.url, email, api_key: await world.chat.apiKeyOf(email) });
      const listening = listened(session);
      const here = listened(world.as('cordelia'));
      await untilPollsWait(world.chat, 2);
      await running.close();
      await assert.rejects(listening, { name: 'Unreachable' });
      await session.close();
      await world.chat.close();
      assert.deepEqual(await here, []);
      assert.equal(world.waiting(), 0);
      await world.untilTimers(0);
    });
  });
}

/** Runs a program. Returns its last line, exit code and signal. */
async function program(name: 'only-works' | 'listen-and-close', ...args: string[]) {
  const child = spawn(process.execPath, [await compiledProgram(name), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 30_000,
  });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const [code, signal] = await once(child, 'close');
  return [said.trim().split('\n').at(-1), code, signal];
}

testOn({})('a worker or listener keeps the process alive only with keepAlive, until close', async () => {
  assert.deepEqual(await program('only-works'), ['started', 0, null]);
  assert.deepEqual(await program('only-works', 'keepAlive'), ['closed', 0, null]);
});

testOn({})('close reports errors of mail and push relay, and still closes the database', async () => {
  const failure = (name: string) => async () => Promise.reject(new Error(`${name} is stuck`));
  const mail: Mail = { send: async () => undefined, close: failure('mail') };
  const pushRelay = { close: failure('relay') } as unknown as PushRelay;
  const closed = async (options: Partial<ChatOptions>) => {
    const storage = sqlite(':memory:');
    const chat = await openChat({ storage, ...options });
    const failed = await chat.close().catch((error: unknown) => error);
    await assert.rejects(async () => storage.read(async () => undefined), { reason: 'closed' });
    return failed;
  };
  assert.equal(((await closed({ mail })) as Error).message, 'mail is stuck');
  const both = await closed({ mail, pushRelay });
  assert.ok(both instanceof AggregateError);
  assert.deepEqual(
    both.errors.map((error: Error) => error.message),
    ['mail is stuck', 'relay is stuck'],
  );
});

testOn({})('an SMTP transport that never connected can be closed', async () => {
  const mail = smtp({ url: 'smtp://[', from: 'chat@example.com' });
  await assert.rejects(mail.send({ to: 'ada@example.com', subject: 'a', text: 'b' }));
  await mail.close();
});

testOn({})('a program that closes its chat on SQLite while it listens exits', async () => {
  assert.deepEqual(await program('listen-and-close', ':memory:'), ['closed', 0, null]);
});

testOn({ skip: withoutPostgres })(
  'a program that closes its chat on PostgreSQL while it listens ends by itself',
  async (t) => {
    const { url, schema, drop } = await postgresPlace();
    t.after(drop);
    assert.deepEqual(await program('listen-and-close', url, schema), ['closed', 0, null]);
  },
);
