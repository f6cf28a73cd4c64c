import assert from 'node:assert/strict';
import type { createServer, IncomingMessage } from 'node:http';
import { describe, it, type TestContext, test } from 'node:test';
import { connect as connectInBrowser } from '../../lib/client/browser.ts';
import { type ConnectionState, connect, type EventTransport, type Session, Unreachable } from '../../lib/index.ts';
import { until } from '../support/until.ts';
import { type Serving, serving } from './serving.ts';

type Batch = readonly { id: number; type: string }[];

/** Listens to a queue and collects states and batches. */
async function listening(t: TestContext, session: Session, onEach?: (state: ConnectionState) => void) {
  const states: ConnectionState[] = [];
  const batches: Batch[] = [];
  const { queue_id, last_event_id } = await session.register({ event_types: ['message'], fetch_event_types: [] });
  const queue = { queue_id, last_event_id };
  const leaving = new AbortController();
  const onState = (state: ConnectionState) => {
    states.push(state);
    onEach?.(state);
  };
  const transports: EventTransport[] = [];
  const onTransport = (transport: EventTransport) => void transports.push(transport);
  const options = { queue, onState, onTransport, signal: leaving.signal };
  const ended = (async () => {
    for await (const events of session.listen({ ...options, batches: true })) batches.push(events);
  })();
  ended.catch(() => undefined);
  t.after(async () => {
    leaving.abort();
    await ended.catch(() => undefined);
  });
  const names = () => states.map(({ state }) => state);
  return { states, batches, names, transports, ended };
}

/** Responds with 502 to all requests for events, as a proxy without its server does. */
function proxy() {
  const state = { isAway: false, hasStreams: true };
  const intercept = (
    { url = '' }: IncomingMessage,
    res: Parameters<Parameters<typeof createServer>[1] & object>[1],
  ): boolean => {
    const isStream = url.includes('/events/stream');
    if (state.isAway && url.includes('/events')) res.writeHead(502).end('<h1>502</h1>');
    else if (isStream && !state.hasStreams) res.writeHead(404).end('{}');
    else return false;
    return true;
  };
  return { state, intercept };
}

const texts = (batches: readonly Batch[]) =>
  batches.flat().map((event) => (event as unknown as { message: { content: string } }).message.content);

for (const hasStreams of [true, false]) {
  for (const [where, open] of [
    ['on Node', connect],
    ['in browsers', connectInBrowser],
  ] as const) {
    test(`listen reports the states of its connection, ${hasStreams ? 'with' : 'without'} streams, ${where}`, async (t) => {
      const { state, intercept } = proxy();
      state.hasStreams = hasStreams;
      const served = await serving(t, intercept);
      const { site, ada } = served;
      const session = open({ site, email: ada.email, api_key: ada.api_key, patienceMs: 60_000 });
      t.after(() => session.close());
      const { states, batches, names, transports } = await listening(t, session);
      await until('it is live without any event', () => names().at(-1) === 'live');
      assert.deepEqual(names(), ['connecting', 'live']);
      assert.deepEqual(batches[0], []);

      await served.say('one');
      await until('the message has arrived', () => texts(batches).length === 1);
      assert.deepEqual(names(), ['connecting', 'live']);

      state.isAway = true;
      served.server.closeAllConnections();
      await until('it is offline', () => names().at(-1) === 'offline');
      const offline = states.at(-1);
      assert.ok(offline?.state === 'offline' && offline.error instanceof Unreachable);
      assert.ok(Number.isInteger(Math.round(offline.retryAt)) && offline.retryAt > 0);

      for (const text of ['two', 'three']) await served.say(text);
      state.isAway = false;
      offline.retryNow();
      await until('it is live again', () => names().at(-1) === 'live');
      const sequence = names().slice(names().lastIndexOf('offline'));
      assert.deepEqual(sequence, ['offline', 'connecting', 'catching-up', 'live']);
      const since = states.slice(names().lastIndexOf('offline'));
      assert.ok(since.every((now) => (now.state === 'offline' ? now.error : now.lastError) instanceof Unreachable));
      assert.ok(states.slice(0, 2).every((now) => !('lastError' in now)));
      assert.deepEqual(transports, [hasStreams ? 'stream' : 'poll']);
      assert.deepEqual(texts(batches), ['one', 'two', 'three']);
      assert.deepEqual(
        batches.filter((batch) => batch.length > 1).map((batch) => texts([batch])),
        [['two', 'three']],
        'missed events arrive together',
      );
    });
  }
}

describe('the state of a connection', () => {
  it('goes from connecting to live in process', async (t) => {
    const { chat, ada, say } = await serving(t);
    const { names, batches, transports } = await listening(t, chat.as(ada));
    await until('it is live', () => names().at(-1) === 'live');
    await say('one');
    await until('the message has arrived', () => texts(batches).length === 1);
    assert.deepEqual(names(), ['connecting', 'live']);
    assert.deepEqual(transports, ['local']);
  });

  it('gives the time of the next attempt, within the backoff of connect', async (t) => {
    const { intercept, state } = proxy();
    const { site, ada } = await serving(t, intercept);
    const backoff = { firstMs: 4, maxMs: 16 };
    const session = connect({ site, email: ada.email, api_key: ada.api_key, patienceMs: 60_000, backoff });
    t.after(() => session.close());
    state.isAway = true;
    const pauses: number[] = [];
    const { states } = await listening(t, session, (now) => {
      if (now.state === 'offline') pauses.push(now.retryAt - Date.now());
      if (pauses.length === 5) state.isAway = false;
    });
    await until('it is live', () => states.at(-1)?.state === 'live');
    assert.equal(pauses.length, 5);
    assert.ok(
      pauses.every((pause) => pause <= 20),
      pauses.join(),
    );
  });

  it('is reported by register during its attempts', async (t) => {
    let failures = 0;
    const served = await serving(t, ({ url = '' }, res) => {
      if (!url.includes('/register') || ++failures > 2) return false;
      res.writeHead(503).end('busy');
      return true;
    });
    const names: string[] = [];
    await served.session.register(
      { fetch_event_types: [] },
      {
        onState: (connection) => {
          names.push(connection.state);
          if (connection.state === 'offline') connection.retryNow();
        },
      },
    );
    assert.deepEqual(names, ['connecting', 'offline', 'connecting', 'offline', 'connecting', 'live']);
  });

  it('goes to live at once for a queue that listen registers', async (t) => {
    const served: Serving = await serving(t);
    const names: string[] = [];
    const events = served.session.listen({ event_types: ['message'], onState: ({ state }) => void names.push(state) });
    const first = events.next();
    await until('the stream is open', () => served.count('/events/stream') === 1);
    await served.say('one');
    assert.equal((await first).value.message.content, 'one');
    assert.deepEqual(names, ['connecting', 'live']);
    assert.equal(served.count('/events'), 0);
    await events.return?.();
  });

  it('does not go to live for an expired queue, and the error ends listen', async (t) => {
    const served = await serving(t);
    const { queue_id } = await served.session.register({ fetch_event_types: [] });
    await served.session.events.delete({ queue_id });
    const names: string[] = [];
    const onState = ({ state }: ConnectionState) => void names.push(state);
    const events = served.session.listen({ queue: { queue_id, last_event_id: -1 }, onState });
    await assert.rejects(events.next(), { code: 'BAD_EVENT_QUEUE_ID' });
    assert.deepEqual(names, ['connecting']);
  });
});
