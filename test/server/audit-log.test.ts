import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Logger } from '../../lib/index.ts';
import { Metrics } from '../../server/index.ts';
import { basic, running } from './running.ts';

const TOKEN = 'the-token-of-those-who-watch';

async function watched(t: TestContext) {
  const lines: Record<string, unknown>[] = [];
  const keep = (data: object, message: string) => void lines.push({ ...data, message });
  const logger: Logger = { debug: keep, info: keep, warn: keep, error: keep };
  const metrics = new Metrics();
  const made = await running(t, { logger, metrics, inspectionToken: TOKEN }, { logger });
  return { ...made, lines, metrics };
}

describe('the audit log', () => {
  it('has what an administrator did, under the id of the log and counted by the same operation', async (t) => {
    const { send, chat, lines, metrics, owner } = await watched(t);
    const { headers, body } = await send('POST', '/api/v1/users', {
      form: { email: 'ben@example.com', full_name: 'Ben', password: 'a hidden password' },
    });
    const request = String(headers['x-request-id']);
    const changed = await send('PATCH', `/api/v1/users/${body.user_id}`, { form: { role: '300' } });
    assert.equal(changed.status, 200);
    const [made, edited] = await chat.auditLog();
    const { id, at_ms, client, ...rest } = made ?? assert.fail();
    assert.deepEqual(rest, {
      ...{ action: 'users.create', user_id: owner.user_id, status: 200, code: null, network: null, request, times: 1 },
      details: { user_id: body.user_id, email: 'given', full_name: 'given', password: 'given', role: 400 },
    });
    assert.deepEqual(edited?.details, { user_id: body.user_id, role: 300 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const line = lines.find((one) => one.request === request);
    assert.deepEqual([line?.operation, line?.status, line?.user], [made?.action, made?.status, made?.user_id]);
    assert.match(await metrics.text(), /requests_total\{operation="users.create",status="200"\} 1\n/);
  });

  it('has refusals of access, and not what was merely wrong', async (t) => {
    const { send, chat } = await watched(t);
    const { body } = await send('POST', '/api/v1/users', {
      form: { email: 'ben@example.com', full_name: 'Ben', password: 'a hidden password' },
    });
    const auth = basic('ben@example.com', await chat.apiKeyOf('ben@example.com'));
    for (let times = 0; times < 3; times++) {
      const { status } = await send('DELETE', '/api/v1/users/8', { auth });
      assert.equal(status, 400);
    }
    await send('PATCH', '/api/v1/realm', { form: { message_retention_days: 'many' } });
    const [, refused, ...more] = await chat.auditLog();
    assert.deepEqual(more, []);
    const { action, user_id, code, times, network } = refused ?? assert.fail();
    assert.deepEqual(
      { action, user_id, code, times, network },
      {
        action: 'users.deactivate',
        user_id: body.user_id,
        code: 'UNAUTHORIZED_PRINCIPAL',
        times: 3,
        network: '127.0.0.1',
      },
    );
  });

  it('has sign-ins, those with wrong passwords and wrong keys, however many, in few entries', async (t) => {
    const { send, chat, owner } = await watched(t);
    const signIn = (username: string, password: string) =>
      send('POST', '/api/v1/fetch_api_key', { auth: null, form: { username, password } });
    await signIn('olga@example.com', 'a long password');
    await signIn('Olga@example.com', 'a wrong password');
    await signIn('olga@example.com', 'another wrong one');
    for (let at = 0; at < 12; at++) await signIn(`stranger-${at}@example.com`, 'password');
    await send('GET', '/api/v1/users/me', { auth: basic('olga@example.com', 'x'.repeat(32)) });
    await send('GET', '/api/v1/users/me', { auth: null });
    const entries = await chat.auditLog();
    const of = (action: string, status: number) =>
      entries.filter((one) => one.action === action && one.status === status);
    assert.deepEqual(
      of('fetchApiKey', 200).map(({ user_id, network }) => [user_id, network]),
      [[owner.user_id, null]],
    );
    const wrong = of('fetchApiKey', 401);
    assert.deepEqual(wrong.find(({ user_id }) => user_id === owner.user_id)?.times, 2);
    assert.ok(wrong.length <= 6, `${wrong.length} entries`);
    assert.equal(
      wrong.reduce((sum, { times }) => sum + times, 0),
      14,
    );
    assert.equal(of('authenticate', 401).length, 1);
  });

  it('has nothing of a change that was rolled back, or only tried', async (t) => {
    const { send, chat } = await watched(t);
    const { status } = await send('POST', '/api/v1/dry_run/users', {
      form: { email: 'ben@example.com', full_name: 'Ben', password: 'a hidden password' },
    });
    assert.equal(status, 200);
    assert.deepEqual(await chat.auditLog(), []);
  });

  it('and log and figures say nothing of keys, passwords, addresses and contents', async (t) => {
    const { send, chat, lines, metrics, owner } = await watched(t);
    const secrets = [
      'sekret-pass-word-1',
      'sekret@example.com',
      'Sekret Name',
      'sekret content',
      'sekret-query',
      owner.api_key,
    ];
    await send('POST', '/api/v1/users', {
      form: { email: 'sekret@example.com', full_name: 'Sekret Name', password: 'sekret-pass-word-1' },
    });
    await send('POST', '/api/v1/fetch_api_key', {
      auth: null,
      form: { username: 'sekret@example.com', password: 'sekret-pass-word-1' },
    });
    await send('POST', '/api/v1/fetch_api_key', {
      auth: null,
      form: { username: 'sekret@example.com', password: 'sekret-pass-word-1x' },
    });
    await send('GET', '/api/v1/users/sekret@example.com?sekret-query=1');
    await send('GET', '/join/sekret-query/');
    await send('GET', '/sekret-query/');
    await send('GET', '/accounts/password/reset/sekret-query/');
    await send('POST', '/api/v1/messages', { form: { type: 'direct', to: '[8]', content: 'sekret content' } });
    await send('POST', '/api/v1/users/me/subscriptions', { form: { subscriptions: '[{"name":"sekret content"}]' } });
    await send('PATCH', '/api/v1/realm', { form: { name: 'sekret content', description: 'sekret content' } });
    await send('PATCH', '/api/v1/settings', {
      form: { old_password: 'a long password', new_password: 'sekret-pass-word-1' },
    });
    await send('GET', '/api/v1/users/me', { auth: basic('sekret@example.com', 'sekret-query') });
    await chat.close();
    // Faults too.
    await send('GET', '/api/v1/users/sekret@example.com?sekret-query=1');
    await send('POST', '/api/v1/messages', { form: { type: 'direct', to: '[8]', content: 'sekret content' } });
    const written = JSON.stringify([lines, await metrics.text()], (_, value) =>
      value instanceof Error ? `${value.stack}` : value,
    ).toLowerCase();
    assert.ok(lines.length > 10);
    for (const secret of secrets) assert.ok(!written.includes(secret.toLowerCase()), secret);
  });
});
