import assert from 'node:assert/strict';
import { request } from 'node:http';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { startServer } from '../../examples/tenants.ts';
import { transportOf } from '../../lib/internal.ts';
import { until } from '../support/until.ts';
import { databasePath } from './folder.ts';

test('each customer has its own chat, by host name and by path', async (t) => {
  const example = await startServer({ folder: dirname(await databasePath(t)), port: 0, maxOpen: 1 });
  t.after(example.close);
  const { url, tenants } = example;
  const authorize = async (id: string, email: string) => {
    const key = await tenants.with(id, (chat) => chat.apiKeyOf(email));
    return { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` };
  };
  const ada = await authorize('acme', 'ada@acme.example');
  const ben = await authorize('bolt', 'ben@bolt.example');
  const nameAt = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(`${url}${path}/api/v1/users/me`, { headers });
    return [response.status, ((await response.json()) as { full_name?: string }).full_name];
  };
  assert.deepEqual(await nameAt('/acme', ada), [200, 'Ada']);
  assert.deepEqual(await nameAt('/bolt', ben), [200, 'Ben']);
  assert.deepEqual(await nameAt('/bolt', ada), [401, undefined]);
  for (const path of ['/', '/other/api/v1/users/me', '/..%2Facme']) {
    assert.equal((await fetch(`${url}${path}`)).status, 404, path);
  }

  // `fetch` does not send another host name.
  const byHost = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { ...ben, host: 'bolt.chat.example.com' };
    const sent = request(`${url}/api/v1/users/me`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
  assert.equal(byHost, 200);
});

test('a poll keeps its tenant open, and others wait for a place', async (t) => {
  const example = await startServer({ folder: dirname(await databasePath(t)), port: 0, maxOpen: 1 });
  t.after(example.close);
  const { url, tenants } = example;
  const email = 'ada@acme.example';
  const key = await tenants.with('acme', (chat) => chat.apiKeyOf(email));
  const headers = { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` };
  const registered = await fetch(`${url}/acme/api/v1/register`, { method: 'POST', headers });
  const { queue_id } = (await registered.json()) as { queue_id: string };
  const leaving = new AbortController();
  const poll = fetch(`${url}/acme/api/v1/events?queue_id=${queue_id}&last_event_id=-1`, {
    headers,
    signal: leaving.signal,
  });
  await until('the poll waits', () => tenants.with('acme', (chat) => transportOf(chat).engine.hub.waiting === 1));
  const other = fetch(`${url}/bolt/api/v1/server_settings`);
  leaving.abort();
  await assert.rejects(poll);
  assert.equal((await other).status, 200);
  assert.equal(tenants.state.open, 1);
});
