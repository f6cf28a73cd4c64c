import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type ChatOptions, localFiles, openChat, sqlite } from '../../lib/index.ts';
import { type FetchOptions, fetchHandler } from '../../server/index.ts';
import { databasePath } from '../examples/folder.ts';
import { basic } from './running.ts';

const SITE = 'https://chat.example.com';

async function handling<Host extends readonly unknown[] = []>(
  t: TestContext,
  options: FetchOptions<Host> = {},
  chatOptions: Partial<ChatOptions> = {},
) {
  const chat = await openChat({ storage: sqlite(':memory:'), ...chatOptions });
  t.after(() => chat.close());
  const owner = await chat.createOrganization({
    name: 'Example',
    owner: { email: 'ada@example.com', full_name: 'Ada' },
  });
  const handler = fetchHandler(chat, options);
  const authorization = basic(owner.email, owner.api_key);
  const ask = (path: string, init: RequestInit = {}, ...host: Host) =>
    handler(
      new Request(SITE + path, { ...init, headers: { authorization, ...(init.headers as object) } } as RequestInit),
      ...host,
    );
  return { chat, owner, handler, ask };
}

const json = async (answer: Response) => (await answer.json()) as Record<string, string>;

/** Bytes in pieces, and the number of pieces that were read. */
function pieces(content: readonly Uint8Array[]) {
  const counted = { taken: 0 };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = content[counted.taken++];
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, counted };
}

test("fetchHandler receives login and address of the caller from the host's arguments", async (t) => {
  interface Context {
    user: string | undefined;
    address: string;
  }
  const { handler } = await handling<[Context]>(t, {
    prefix: '/chat',
    authenticate: (request, { user }) => (request.headers.get('x-login') === 'yes' ? user : undefined),
    address: (_, { address }) => address,
    rateLimits: { refused_by_ip: { seconds: 600, max: 1 } },
  });
  const me = async (address: string, headers: Record<string, string>) => {
    const request = new Request(`${SITE}/chat/api/v1/users/me`, { headers });
    const answer = await handler(request, { user: 'ada@example.com', address });
    return [answer.status, (await json(answer)).email];
  };
  assert.deepEqual(await me('192.0.2.1', { 'x-login': 'yes' }), [200, 'ada@example.com']);
  assert.deepEqual(await me('192.0.2.1', {}), [401, undefined]);
  assert.deepEqual(await me('192.0.2.1', {}), [429, undefined]);
  assert.deepEqual(await me('192.0.2.2', {}), [401, undefined]);

  const send = (origin: string) =>
    handler(
      new Request(`${SITE}/chat/api/v1/users/me/subscriptions`, {
        method: 'POST',
        headers: { origin, 'x-login': 'yes' },
        body: new URLSearchParams({ subscriptions: '[{"name":"general"}]' }),
      }),
      { user: 'ada@example.com', address: '192.0.2.3' },
    );
  assert.equal((await send('https://elsewhere.example')).status, 403);
  assert.equal((await send(SITE)).status, 200);
});

test('fetchHandler accepts an uploaded file in pieces and returns it whole or in part', async (t) => {
  const { ask } = await handling(t, {}, { files: localFiles(await databasePath(t)) });
  const content = Array.from({ length: 40 }, () => new Uint8Array(randomBytes(64 * 1024)));
  const edge = (text: string) => new TextEncoder().encode(text);
  const { stream, counted } = pieces([
    edge('--edge\r\nContent-Disposition: form-data; name="f"; filename="a.bin"\r\n\r\n'),
    ...content,
    edge('\r\n--edge--\r\n'),
  ]);
  const sent = await ask('/api/v1/user_uploads', {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    body: stream,
    duplex: 'half',
  } as RequestInit);
  const { url = '' } = await json(sent);
  assert.equal(sent.status, 200);
  assert.equal(counted.taken, content.length + 3);

  const whole = await ask(url);
  const bytes = Buffer.concat(content);
  assert.equal(whole.headers.get('content-length'), String(bytes.length));
  assert.ok(bytes.equals(Buffer.from(await whole.arrayBuffer())));
  const part = await ask(url, { headers: { range: 'bytes=65530-65540' } });
  assert.equal(part.status, 206);
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(65530, 65541));
  const head = await ask(url, { method: 'HEAD' });
  assert.deepEqual(
    [head.status, head.headers.get('content-length'), await head.text()],
    [200, String(bytes.length), ''],
  );
  const known = await ask(url, { headers: { 'if-none-match': whole.headers.get('etag') ?? '' } });
  assert.deepEqual([known.status, await known.text()], [304, '']);

  // A reader that stops closes the file.
  const left = await ask(url);
  const reader = left.body?.getReader();
  await reader?.read();
  await reader?.cancel();
});

test('fetchHandler accepts resumable uploads', async (t) => {
  const { ask } = await handling(t, {}, { files: localFiles(await databasePath(t)) });
  const tus = { 'tus-resumable': '1.0.0' };
  const begun = await ask('/api/v1/tus', {
    method: 'POST',
    headers: { ...tus, 'upload-length': '6', 'upload-metadata': `filename ${btoa('a.txt')}` },
  });
  assert.equal(begun.status, 201);
  const address = new URL(begun.headers.get('location') ?? '', `${SITE}/api/v1/tus`).pathname;
  const patch = (offset: number, body: string) =>
    ask(address, {
      method: 'PATCH',
      headers: { ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
      body,
    });
  assert.equal((await patch(0, 'abc')).status, 204);
  assert.equal((await patch(3, 'def')).status, 200);
});

test('a poll through fetchHandler waits for its event and ends with its request', async (t) => {
  const { chat, owner, ask } = await handling(t);
  const { queue_id } = await json(await ask('/api/v1/register', { method: 'POST', body: '' }));
  const poll = (signal?: AbortSignal) =>
    ask(`/api/v1/events?queue_id=${queue_id}&last_event_id=-1`, signal ? { signal } : {});
  const going = new AbortController();
  const left = poll(going.signal);
  await wait(50);
  going.abort();
  assert.equal((await left).status, 499);
  const waiting = poll();
  await chat.as(owner).channels.create({ name: 'general', subscribers: [owner.user_id] });
  const { events } = await json(await waiting);
  assert.equal((events as unknown as { type: string }[])[0]?.type, 'stream');
});

test('a large response through fetchHandler arrives whole with its length', async (t) => {
  const { chat, owner, ask } = await handling(t);
  const session = chat.as(owner);
  await session.channels.create({ name: 'general', subscribers: [owner.user_id] });
  const content = 'x'.repeat(9_000);
  for (let at = 0; at < 60; at++) await session.messages.send({ type: 'channel', to: 'general', topic: 't', content });
  const answer = await ask('/api/v1/messages?anchor=newest&num_before=100&num_after=0');
  const text = await answer.text();
  assert.equal(answer.headers.get('content-length'), String(Buffer.byteLength(text)));
  assert.equal(JSON.parse(text).messages.length, 61);
});

test('fetchHandler rejects a request whose body was already read', async (t) => {
  const { handler, owner } = await handling(t, {});
  const request = new Request(`${SITE}/api/v1/messages/render`, {
    method: 'POST',
    headers: { authorization: basic(owner.email, owner.api_key) },
    body: new URLSearchParams({ content: 'x' }),
  });
  await request.text();
  await assert.rejects(handler(request), /Read a clone\(\)/);
});

test('fetchHandler responds with 499 to an incomplete body', async (t) => {
  const { ask } = await handling(t);
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('content=')),
    pull: (controller) => controller.error(new Error('gone')),
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await ask('/api/v1/messages/render', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
  assert.equal(answer.status, 499);
});

test('fetchHandler answers 404 outside its prefix and serves pages within it', async (t) => {
  const { ask } = await handling(t, { prefix: '/chat' });
  assert.equal((await ask('/elsewhere')).status, 404);
  const page = await ask('/chat/');
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(await page.text(), /<parlance-panel view="app" site="\." push="\.\/service-worker\.js\?app">/);
  assert.equal((await ask('/chat/api/v1/users/me', { method: 'OPTIONS' })).status, 204);
});
