import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { connect } from '../../lib/index.ts';
import { until } from '../support/until.ts';
import { type Serving, serving } from './serving.ts';

/** Starts to listen, and collects the contents of messages. */
function listening({ session }: Serving) {
  const contents: string[] = [];
  let queue = '';
  const ended = (async () => {
    const onQueue = ({ queue_id }: { queue_id: string }) => {
      queue = queue_id;
    };
    for await (const event of session.listen({ event_types: ['message'], onQueue }))
      contents.push(event.message.content);
  })();
  ended.catch(() => undefined);
  return { contents, ended, queue: () => queue };
}

describe('listening over HTTP', () => {
  it('reads one stream and does not poll', async (t) => {
    const served = await serving(t);
    const { contents } = listening(served);
    await until('the stream is open', () => served.count('/events/stream') === 1);
    for (const text of ['one', 'two', 'three']) await served.say(text);
    await until('three messages have arrived', () => contents.length === 3);
    assert.deepEqual(contents, ['one', 'two', 'three']);
    assert.equal(served.count('/events/stream'), 1);
    assert.equal(served.count('/events'), 0);
  });

  it('polls a server that has no streams', async (t) => {
    const served = await serving(t, (req, res) => {
      if (!req.url?.includes('/events/stream')) return false;
      res.writeHead(404, { 'content-type': 'application/json' }).end('{"result":"error","msg":"?","code":"NOT_FOUND"}');
      return true;
    });
    const { contents } = listening(served);
    await until('it polls', () => served.count('/events') === 1);
    await served.say('one');
    await until('the message has arrived', () => contents.length === 1);
    assert.equal(served.count('/events/stream'), 1);
  });

  it('polls if a proxy responds to the stream with a page', async (t) => {
    const served = await serving(t, (req, res) => {
      if (!req.url?.includes('/events/stream')) return false;
      res.writeHead(200, { 'content-type': 'text/html' }).end('<title>Proxy</title>');
      return true;
    });
    const { contents } = listening(served);
    await until('it polls', () => served.count('/events') === 1);
    await served.say('one');
    await until('the message has arrived', () => contents.length === 1);
  });

  it('tries a stream again after it has connected again', async (t) => {
    let isRefused = false;
    const served = await serving(t, (req, res) => {
      if (!req.url?.includes('/events/stream') || isRefused) return false;
      isRefused = true;
      res.writeHead(200, { 'content-type': 'text/html' }).end('<title>Proxy</title>');
      return true;
    });
    const { contents } = listening(served);
    await until('it polls', () => served.count('/events') === 1);
    served.server.closeAllConnections();
    await until('the second stream is open', () => served.count('/events/stream') === 2);
    await served.say('one');
    await until('the message has arrived', () => contents.length === 1);
  });

  it('continues if the server has disconnected a program that did not read for long', async (t) => {
    const cuts: (() => void)[] = [];
    const { site, ada, say } = await serving(t, (req, res) => {
      if (!req.url?.includes('/events/stream') || cuts.length > 0) return false;
      cuts.push(() => req.socket.resetAndDestroy());
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write('id:0\ndata:{"id":0,"type":"heartbeat"}\n\n');
      return true;
    });
    // Without retries, a broken connection ends the iteration.
    const session = connect({ site, email: ada.email, api_key: ada.api_key });
    t.after(() => session.close());
    const events = session.listen({ event_types: ['message'], batches: true });
    assert.deepEqual((await events.next()).value, []);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 60_000 });
    for (const cut of cuts) cut();
    await say('one');
    const contents: string[] = [];
    for await (const batch of events) {
      contents.push(...batch.map(({ message }) => message.content));
      if (contents.length > 0) break;
    }
    assert.deepEqual(contents, ['one']);
  });

  it('continues after the connection breaks, without loss or repeats', async (t) => {
    const served = await serving(t);
    const { contents } = listening(served);
    await until('the stream is open', () => served.count('/events/stream') === 1);
    const texts = Array.from({ length: 30 }, (_, n) => `number ${n}`);
    for (const [at, text] of texts.entries()) {
      await served.say(text);
      if (at % 10 === 5) served.server.closeAllConnections();
    }
    await until('all messages have arrived', () => contents.length >= texts.length);
    assert.deepEqual(contents, texts);
    assert.equal(served.count('/events'), 0);
  });

  it('waits and connects again if the server is too busy for a started stream', async (t) => {
    let refusals = 2;
    const served = await serving(t, (req, res) => {
      if (!req.url?.includes('/events/stream') || refusals-- <= 0) return false;
      const refusal = { result: 'error', msg: 'Too many requests.', code: 'RATE_LIMIT_HIT', 'retry-after': 0.01 };
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.end(`:\n\nevent:error\ndata:${JSON.stringify(refusal)}\n\n`);
      return true;
    });
    const { contents, ended } = listening(served);
    await Promise.race([ended, until('the third stream is open', () => served.count('/events/stream') === 3)]);
    await served.say('one');
    await until('the message has arrived', () => contents.length === 1);
  });

  it('waits for a program that handles an event for longer than the connection may be silent', async (t) => {
    const { site, ada, say, count } = await serving(t);
    const session = connect({ site, email: ada.email, api_key: ada.api_key });
    t.after(() => session.close());
    // Before the stream is open: a real timer of it could not be cleared, and would hold this process.
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const events = session.listen({ event_types: ['message'] });
    const first = events.next();
    while (count('/events/stream') === 0) await setImmediate();
    await say('one');
    assert.equal((await first).value.message.content, 'one');
    t.mock.timers.tick(600_000);
    t.mock.timers.reset();
    await say('two');
    assert.equal((await events.next()).value.message.content, 'two');
    await events.return?.();
  });

  it('retries for its limit after the first failure, after any idle time', async (t) => {
    let streams = 0;
    const served = await serving(t, (req, res) => {
      if (!req.url?.includes('/events/stream') || ++streams !== 2) return false;
      res.writeHead(502).end('<h1>502</h1>');
      return true;
    });
    const { site, ada, say, count, server } = served;
    const options = { site, email: ada.email, api_key: ada.api_key, patienceMs: 1_000, backoff: { firstMs: 1 } };
    const session = connect(options);
    t.after(() => session.close());
    const events = session.listen({ event_types: ['message'] });
    const first = events.next();
    await until('the stream is open', () => streams === 1);
    await wait(1_100);
    server.closeAllConnections();
    await Promise.race([first, until('the third stream is open', () => count('/events/stream') === 3)]);
    await say('one');
    assert.equal((await first).value.message.content, 'one');
    await events.return?.();
  });

  it('ends with the error of the server if its queue is deleted', async (t) => {
    const served = await serving(t);
    const { ended, queue } = listening(served);
    await until('the stream is open', () => served.count('/events/stream') === 1);
    await served.chat.as(served.ada).events.delete({ queue_id: queue() });
    await assert.rejects(ended, { code: 'BAD_EVENT_QUEUE_ID' });
  });

  it('ends quietly when the session closes', async (t) => {
    const served = await serving(t);
    const { ended } = listening(served);
    await until('the stream is open', () => served.count('/events/stream') === 1);
    await served.session.close();
    await ended;
  });
});
