import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { correctedClock } from '../../lib/adapters/clock.ts';
import type { ChatOptions } from '../../lib/index.ts';
import { decodeText, transportOf } from '../../lib/internal.ts';
import { fetchHandler, type ServeOptions, serve } from '../../server/index.ts';
import { untilPollsWait } from '../support/polls.ts';
import { until } from '../support/until.ts';
import { framesIn, openStream, type Stream } from './event-stream.ts';
import { basic, running, send } from './running.ts';

const ORIGIN = 'https://app.example.com';

async function streaming(t: TestContext, options: ServeOptions = {}, chatOptions: Partial<ChatOptions> = {}) {
  const { chat, owner, auth, port } = await running(t, options, chatOptions);
  let messages = 0;
  const happen = () =>
    chat.as(owner.user_id).messages.send({ type: 'direct', to: [owner.user_id], content: `message ${++messages}` });
  const register = async () => {
    const { queue_id } = await chat.as(owner.user_id).register({ event_types: ['message'], fetch_event_types: [] });
    return queue_id as string;
  };
  const queue_id = await register();
  const path = (more = '', queue = queue_id) => `${options.prefix ?? ''}/api/v1/events/stream?queue_id=${queue}${more}`;
  const open = (more = '', headers: Record<string, string> = {}, method = 'GET') =>
    openStream(t, { port, path: path(more), headers: { authorization: auth, ...headers }, method });
  const refused = (more: string, headers: Record<string, string> = {}, queue = queue_id) =>
    send(port, 'GET', path(more, queue), { auth, headers });
  const poll = (last: number, more = '') =>
    send(port, 'GET', `${options.prefix ?? ''}/api/v1/events?queue_id=${queue_id}&last_event_id=${last}${more}`, {
      auth,
    });
  const waits = (count: number) => untilPollsWait(chat, count);
  return { chat, owner, auth, port, queue_id, register, happen, path, open, refused, poll, waits };
}

describe('the event stream', () => {
  it('begins with a comment and sends each event at once with its ID', async (t) => {
    const { open, happen, waits } = await streaming(t);
    const stream = await open();
    assert.equal(stream.status, 200);
    assert.equal(stream.headers['content-type'], 'text/event-stream');
    assert.equal(stream.headers['x-accel-buffering'], 'no');
    assert.match(String(stream.headers['cache-control']), /no-store/);
    assert.equal(stream.headers['content-length'], undefined);
    await until('a comment has come', () => stream.text() === ':\n\n');
    for (let count = 1; count <= 3; count++) {
      await waits(1);
      await happen();
      await stream.next(count);
    }
    const frames = stream.frames();
    assert.deepEqual(
      frames.map(({ id }) => Number(id)),
      frames.map(({ data }) => data.id),
    );
    assert.deepEqual(
      frames.map(({ data, name }) => [name, data.type, data.message.content]),
      [1, 2, 3].map((n) => ['message', 'message', `message ${n}`]),
    );
    assert.match(stream.text(), /^:\n\n(id:\d+\ndata:\{.*\}\n\n){3}$/);
  });

  it('sends a comment after the heartbeat time and stays open', async (t) => {
    const { open, happen } = await streaming(t, {}, { heartbeatSeconds: 1 });
    const stream = await open();
    await until('two comments have come', () => stream.comments() >= 2);
    await happen();
    await stream.next(1);
    assert.equal(stream.isEnded(), false);
  });

  it('ends after 20,000 positions of the log at most, also if most events are for others, so that its client acknowledges', async (t) => {
    const { chat, open, happen, waits } = await streaming(t);
    const stream = await open();
    await waits(1);
    const other = { audience: { users: [1_000_000] }, event: { type: 'test' } };
    await transportOf(chat).engine.storage.write((tx) => tx.events.append(Array(20_000).fill(other), 1));
    await happen();
    await stream.next(1);
    await until('the stream has ended', () => stream.isEnded());
  });

  it('is read without limit on one queue, however many events are for others', async (t) => {
    const { chat, owner, open, happen } = await streaming(t, {}, { heartbeatSeconds: 0.1 });
    const { storage } = transportOf(chat).engine;
    const streams = [await open()];
    const current = () => streams.at(-1) as Stream;
    const other = { audience: { users: [1_000_000] }, event: { type: 'test' } };
    for (let round = 0; round < 12; round++) {
      await storage.write((tx) => tx.events.append(Array(4_000).fill(other), 1));
      await chat.as(owner.user_id).channels.create({ name: `channel ${round}`, subscribers: [] });
      const comments = current().comments();
      await until('two heartbeats have passed', () => current().isEnded() || current().comments() > comments + 1);
      if (current().isEnded()) streams.push(await open());
    }
    assert.ok(streams.length < 7, `${streams.length} streams`);
    await chat.runDue();
    await happen();
    await until('the event has come', () => {
      if (current().isEnded()) return open().then((stream) => void streams.push(stream));
      return current().frames().length > 0;
    });
  });

  it('continues after a disconnect without loss, also if events that were only written are recorded as sent', async (t) => {
    let ahead = 0;
    const { open, happen, waits } = await streaming(t, {}, { clock: correctedClock(() => ahead) });
    const first = await open();
    await waits(1);
    await happen();
    await first.next(1);
    await waits(1);
    // The queue stores that it is in use.
    ahead += 200_000;
    await happen();
    const [one] = await first.next(2);
    ahead += 200_000;
    await happen();
    await first.next(3);
    await waits(1);
    ahead += 200_000;
    first.req.destroy();
    await waits(0);
    await happen();
    for (const last of ['-1', String(one?.id)]) {
      const again = await open('', { 'last-event-id': last });
      const frames = await again.next(last === '-1' ? 4 : 3);
      const contents = ['message 1', 'message 2', 'message 3', 'message 4'];
      assert.deepEqual(
        frames.map(({ data }) => data.message.content),
        last === '-1' ? contents : contents.slice(1),
      );
    }
  });

  it('prefers Last-Event-ID to the parameter last_event_id', async (t) => {
    const { open, happen, poll } = await streaming(t);
    for (let n = 0; n < 3; n++) await happen();
    const ids = (await poll(-1, '&dont_block=true')).body.events.map(({ id }: { id: number }) => id) as number[];
    const stream = await open(`&last_event_id=${ids[0]}`, { 'last-event-id': String(ids[1]) });
    assert.deepEqual(
      (await stream.next(1)).map(({ id }) => Number(id)),
      [ids[2]],
    );
    const other = await open(`&last_event_id=${ids[0]}`);
    assert.deepEqual(
      (await other.next(2)).map(({ id }) => Number(id)),
      [ids[1], ids[2]],
    );
    const empty = await open(`&last_event_id=${ids[0]}`, { 'last-event-id': '' });
    assert.equal(Number((await empty.next(1))[0]?.id), ids[1], 'a header without value is as good as absent');
  });

  it('is refused as JSON before it begins', async (t) => {
    const { refused, port, path, chat, owner, happen } = await streaming(t);
    await happen();
    for (const id of ['100000', 'x', '1.5', '-2', '9'.repeat(30), '1, 2']) {
      const { status, headers, body } = await refused('', { 'last-event-id': id });
      assert.equal(status, 400, id);
      assert.match(String(headers['content-type']), /json/);
      assert.deepEqual([body.result, body.code], ['error', 'BAD_REQUEST'], id);
    }
    const unknown = await refused('', {}, 'unknown');
    assert.deepEqual([unknown.status, unknown.body.code], [400, 'BAD_EVENT_QUEUE_ID']);
    const wrong = await send(port, 'GET', path(), { auth: basic(owner.email, 'x'.repeat(32)) });
    assert.equal(wrong.status, 401);
    const { user_id } = await chat.as(owner.user_id).users.create({
      email: 'paul@example.com',
      full_name: 'Paul',
      password: 'another long password',
    });
    const other = basic('paul@example.com', await chat.apiKeyOf(user_id));
    assert.equal((await send(port, 'GET', path(), { auth: other })).body.code, 'BAD_EVENT_QUEUE_ID');
  });

  it('can only be read: other methods do not reach the queue', async (t) => {
    const { port, path, auth, poll, open } = await streaming(t);
    for (const method of ['DELETE', 'POST', 'PUT', 'PATCH']) {
      const form = { method: 'DELETE' };
      const { status, headers, body } = await send(port, method, path(), { auth, form });
      assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, OPTIONS'], method);
      assert.deepEqual(body.allowed_methods, ['GET', 'HEAD', 'OPTIONS']);
    }
    const options = await send(port, 'OPTIONS', path(), { auth });
    assert.deepEqual([options.status, options.headers.allow], [204, 'GET, HEAD, OPTIONS']);
    const head = await open('', {}, 'HEAD');
    assert.deepEqual([head.status, head.headers['content-type']], [200, 'text/event-stream']);
    await until('the response to HEAD has ended', head.isEnded);
    assert.equal(head.text(), '');
    assert.equal((await poll(-1, '&dont_block=true')).status, 200);
  });

  it('ends when another stream or poll of the queue begins', async (t) => {
    const { open, poll, waits, happen } = await streaming(t);
    const first = await open();
    await waits(1);
    const second = await open();
    await until('the first stream has ended', first.isEnded);
    await waits(1);
    await happen();
    const [event] = await second.next(1);
    assert.deepEqual(first.frames(), []);
    await waits(1);
    const waiting = poll(Number(event?.id));
    await until('the second stream has ended', second.isEnded);
    await waits(1);
    await happen();
    assert.equal((await waiting).body.events.length, 1);
    const third = await open('', { 'last-event-id': String(event?.id) });
    await third.next(1);
    await waits(1);
    assert.equal((await poll(-1)).body.events.length, 2);
    await until('the third stream has ended', third.isEnded);
  });

  for (const [what, code] of [
    ['its queue is deleted', 'BAD_EVENT_QUEUE_ID'],
    ['the key is regenerated', 'UNAUTHORIZED'],
    ['the account is deactivated', 'UNAUTHORIZED'],
  ] as const) {
    it(`ends with an error when ${what}`, async (t) => {
      const { chat, owner, port, path, queue_id, waits, open } = await streaming(t);
      const session = chat.as(owner.user_id);
      const { user_id } = await session.users.create({
        email: 'paul@example.com',
        full_name: 'Paul',
        password: 'another long password',
      });
      const authorization = basic('paul@example.com', await chat.apiKeyOf(user_id));
      const own = await chat.as(user_id).register({ event_types: ['stream'], fetch_event_types: [] });
      const isOwn = code === 'UNAUTHORIZED';
      const queue = isOwn ? (own.queue_id as string) : queue_id;
      const stream = isOwn
        ? await openStream(t, { port, path: path('', queue), headers: { authorization } })
        : await open();
      await waits(1);
      if (!isOwn) await session.events.delete({ queue_id });
      else if (what.startsWith('the key')) await chat.as(user_id).users.regenerateApiKey();
      else await session.users.deactivate({ user_id });
      const [error] = await stream.next(1);
      assert.deepEqual([error?.name, error?.id, error?.data.result], ['error', undefined, 'error']);
      if (what !== 'the account is deactivated') assert.equal(error?.data.code, code);
      await until('the stream has ended', stream.isEnded);
      assert.equal(transportOf(chat).engine.hub.waiting, 0);
    });
  }

  it('of a guest sends no events of a channel after their removal, and ends when the guest becomes a member', async (t) => {
    const { chat, owner, port, path, waits } = await streaming(t);
    const session = chat.as(owner.user_id);
    const { user_id } = await session.users.create({
      ...{ email: 'paul@example.com', full_name: 'Paul', password: 'another long password' },
      role: 600,
    });
    const { id: open } = await session.channels.create({ name: 'open', subscribers: [] });
    const { id: closed } = await session.channels.create({
      ...{ name: 'closed', invite_only: true },
      subscribers: [owner.user_id, user_id],
    });
    const { queue_id } = await chat.as(user_id).register({
      event_types: ['message', 'stream', 'subscription'],
      fetch_event_types: [],
    });
    const authorization = basic('paul@example.com', await chat.apiKeyOf(user_id));
    const stream = await openStream(t, { port, path: path('', queue_id as string), headers: { authorization } });
    await waits(1);
    const say = (to: number, content: string) => session.messages.send({ type: 'channel', to, topic: 'x', content });
    await say(open, 'public, to a guest');
    await say(closed, 'to a subscriber');
    await session.subscriptions.remove({ subscriptions: ['closed'], principals: [user_id] });
    await say(closed, 'to one who was removed');
    await session.messages.send({ type: 'direct', to: [user_id], content: 'the last' });
    const contents = () => stream.frames().map(({ data }) => data.message?.content);
    await until('the last message has come', () => contents().includes('the last'));
    assert.deepEqual(contents().filter(Boolean), ['to a subscriber', 'the last']);
    const changes = stream.frames().map(({ data }) => [data.type, data.op, data.stream_ids]);
    assert.ok(changes.some(([type, op, ids]) => type === 'stream' && op === 'delete' && ids.includes(closed)));
    await session.users.edit({ user_id, role: 400 });
    await until('the stream has ended', stream.isEnded);
    const error = stream.frames().at(-1);
    assert.deepEqual([error?.name, error?.data.code], ['error', 'BAD_EVENT_QUEUE_ID']);
  });

  it('does not continue, if busy while its key is replaced, at a poll with the new key', async (t) => {
    const { chat, owner, queue_id, happen } = await streaming(t);
    const { engine, streamEvents } = transportOf(chat);
    const account = await chat.apiKeyOf(owner.user_id);
    const caller = await transportOf(chat).authenticate(owner.email, account);
    const values = { queue_id, last_event_id: '-1' };
    const frame = { before: (id: number) => `${id} `, after: '\n' };
    const events = streamEvents({ ...caller, client: 'test' }, values, decodeText, frame);
    await events.next();
    const waiting = events.next();
    await untilPollsWait(chat, 1);
    await happen();
    await waiting;
    await chat.as(owner.user_id).users.regenerateApiKey();
    const poll = chat.as(owner.user_id).events.list({ queue_id, last_event_id: -1 });
    const last = (await poll).events.at(-1)?.id as number;
    const next = chat.as(owner.user_id).events.list({ queue_id, last_event_id: last });
    await untilPollsWait(chat, 1);
    await assert.rejects(events.next(), { code: 'UNAUTHORIZED' });
    await happen();
    assert.equal((await next).events.length, 1);
    assert.equal(engine.hub.waiting, 0);
  });

  it('gives up its place while its client reads a long backlog', async (t) => {
    const { chat, owner, queue_id, happen } = await streaming(t);
    for (let n = 0; n < 25; n++) await happen();
    let isBusy = false;
    const permit = {
      enter: async () => {},
      begin: async () => {
        isBusy = true;
      },
      beginWork: () => () => {},
      end: () => {
        isBusy = false;
      },
    };
    const frame = { before: (id: number) => `${id} `, after: '\n' };
    const caller = { userId: owner.user_id, client: 'test', permit };
    const values = { queue_id, last_event_id: '-1' };
    const events = transportOf(chat).streamEvents(caller, values, decodeText, frame);
    const { value } = await events.next();
    assert.ok(value && value.length > 0);
    assert.equal(isBusy, false);
    await events.return(undefined);
  });

  it('frees its queue when the client disconnects, and closes with the server', async (t) => {
    const { chat, owner, auth } = await streaming(t);
    const { url, close } = await serve(chat, { port: 0 });
    const port = Number(new URL(url).port);
    const { queue_id } = await chat.as(owner.user_id).register({ fetch_event_types: [] });
    const path = `/api/v1/events/stream?queue_id=${queue_id}`;
    const leaving = await openStream(t, { port, path, headers: { authorization: auth } });
    await untilPollsWait(chat, 1);
    leaving.req.destroy();
    await untilPollsWait(chat, 0);
    const stream = await openStream(t, { port, path, headers: { authorization: auth } });
    await untilPollsWait(chat, 1);
    await close();
    await until('the stream has ended', stream.isEnded);
    assert.equal(stream.res.complete, true);
  });

  it('is open to trusted origins, below a prefix', async (t) => {
    const { open, port, path, happen, waits } = await streaming(t, { prefix: '/chat', trustedOrigins: [ORIGIN] });
    const stream = await open('', { origin: ORIGIN });
    assert.equal(stream.headers['access-control-allow-origin'], ORIGIN);
    await waits(1);
    await happen();
    await stream.next(1);
    const asked = { origin: ORIGIN, 'access-control-request-method': 'GET' };
    const before = await send(port, 'OPTIONS', path(), {
      headers: { ...asked, 'access-control-request-headers': 'authorization, last-event-id' },
    });
    assert.equal(before.status, 204);
    assert.match(String(before.headers['access-control-allow-headers']), /authorization.*last-event-id/i);
    const foreign = await open('', { origin: 'https://evil.example.com' });
    assert.equal(foreign.headers['access-control-allow-origin'], undefined);
  });

  it('is sent in chunks through fetchHandler, and ends when the request is aborted', async (t) => {
    const { chat, auth, path, happen } = await streaming(t);
    const handler = fetchHandler(chat);
    const gone = new AbortController();
    const request = new Request(`https://chat.example.com${path()}`, {
      headers: { authorization: auth },
      signal: gone.signal,
    });
    const answer = await handler(request);
    assert.equal(answer.headers.get('content-type'), 'text/event-stream');
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader() ?? assert.fail();
    let text = '';
    const read = async () => {
      text += (await reader.read()).value ?? '';
    };
    await read();
    assert.equal(text, ':\n\n');
    await untilPollsWait(chat, 1);
    await happen();
    while (framesIn(text).length < 1) await read();
    await untilPollsWait(chat, 1);
    gone.abort();
    await untilPollsWait(chat, 0);
  });
});
