import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApplication } from '../../examples/express.ts';
import { databasePath } from './folder.ts';

test('a login of the Express application is a login of its chat', async (t) => {
  const application = await startApplication({ database: await databasePath(t), port: 0 });
  t.after(application.close);
  const { url } = application;
  const logIn = (name: string, password: string) =>
    fetch(`${url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, password }),
    });
  const me = async (cookie: string) => {
    const answer = await fetch(`${url}/chat/api/v1/users/me`, { headers: { cookie } });
    return [answer.status, ((await answer.json()) as { email?: string }).email];
  };

  assert.deepEqual(await me(''), [401, undefined]);
  assert.deepEqual(await me('login=0123456789abcdef'), [401, undefined]);
  assert.equal((await logIn('ben', 'thunder')).status, 401);

  const cookie = (await logIn('ben', 'lightning')).headers.get('set-cookie')?.split(';')[0] ?? '';
  assert.deepEqual(await me(cookie), [200, 'ben@example.com']);

  const send = (headers: Record<string, string>) =>
    fetch(`${url}/chat/api/v1/messages`, {
      method: 'POST',
      headers: { cookie, ...headers },
      body: new URLSearchParams({ type: 'channel', to: 'general', topic: 'lunch', content: 'Soup today' }),
    });
  assert.equal((await send({})).status, 200);
  assert.equal((await send({ origin: 'https://elsewhere.example' })).status, 403);
  assert.equal(await (await fetch(`${url}/`, { headers: { cookie } })).text(), 'Your chat is at /chat/api/v1\n');
});
