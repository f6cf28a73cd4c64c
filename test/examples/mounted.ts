import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * The requests of a logged-in Ada to a chat inside an application: calls, forms, JSON, files, pages, and waiting polls.
 */
export async function checkMounted(url: string, cookie: string): Promise<void> {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}/chat${path}`, { ...init, headers: { cookie, ...(init.headers as object) } } as RequestInit);
  const json = async (path: string, init?: RequestInit) => {
    const answer = await ask(path, init);
    const body = (await answer.json()) as Record<string, string>;
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(body)}`);
    return body;
  };
  assert.equal((await fetch(`${url}/chat/api/v1/users/me`)).status, 401);
  assert.equal((await json('/api/v1/users/me')).email, 'ada@example.com');

  const { queue_id = '' } = await json('/api/v1/register', { method: 'POST' });
  const poll = json(`/api/v1/events?queue_id=${queue_id}&last_event_id=-1`);
  const form = new URLSearchParams({ subscriptions: '[{"name":"general"}]' });
  await json('/api/v1/users/me/subscriptions', { method: 'POST', body: form });
  assert.ok(((await poll).events as unknown as unknown[]).length > 0);

  const body = JSON.stringify({ type: 'channel', to: 'general', topic: 'lunch', content: 'Soup **today**' });
  const send = (headers: Record<string, string>) =>
    ask('/api/v1/messages', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  assert.equal((await send({})).status, 200);
  assert.equal((await send({ origin: 'https://elsewhere.example' })).status, 403);

  const parts = new FormData();
  parts.append('file', new Blob([new Uint8Array(300_000)]), 'zeros.bin');
  const { url: file = '' } = await json('/api/v1/user_uploads', { method: 'POST', body: parts });
  const below = file.replace(/^\/chat/, '');
  assert.equal((await (await ask(below)).arrayBuffer()).byteLength, 300_000);
  assert.equal((await (await ask(below, { headers: { range: 'bytes=10-19' } })).arrayBuffer()).byteLength, 10);
  assert.match(await (await ask('/api/docs')).text(), /API reference/);
  const api = await ask('/api/v1/users/me', { method: 'HEAD' });
  assert.deepEqual([api.status, await api.text()], [200, '']);

  // A poll whose client has gone ends, and the next one is answered.
  const leaving = new AbortController();
  const events = `/api/v1/events?queue_id=${queue_id}`;
  const come = (await json(`${events}&last_event_id=-1&dont_block=true`)).events as unknown as { id: number }[];
  const left = ask(`${events}&last_event_id=${come.at(-1)?.id}`, { signal: leaving.signal });
  await wait(50);
  leaving.abort();
  await assert.rejects(left);
  assert.equal((await ask('/api/v1/users/me')).status, 200);
}

/** The cookie of Ada's login. */
export async function logIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'ada', password: 'analytical' }),
  });
  assert.equal(answer.status, 200);
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}
