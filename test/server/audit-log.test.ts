import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { ChatOptions, Logger } from '../../lib/index.ts';
import { fetchHandler, Metrics } from '../../server/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { basic, running } from './running.ts';

const TOKEN = 'the-token-of-those-who-watch';

async function watched(t: TestContext, options: Partial<ChatOptions> = {}) {
  const lines: Record<string, unknown>[] = [];
  const keep = (data: object, message: string) => void lines.push({ ...data, message });
  const logger: Logger = { debug: keep, info: keep, warn: keep, error: keep };
  const metrics = new Metrics();
  const made = await running(t, { logger, metrics, inspectionToken: TOKEN }, { logger, ...options });
  return { ...made, lines, metrics, logger };
}

type Watched = Awaited<ReturnType<typeof watched>>;
type Form = Record<string, string>;
interface Sent {
  status: number;
  request: string;
}

/** The log line is written after the connection has accepted the response. The client may read it earlier. */
function lineOf({ lines }: Watched, request: string): Promise<Record<string, unknown>> {
  return until(`the log has request ${request}`, () => lines.find((one) => one.request === request));
}

describe('the audit log', () => {
  it("the audit log has an administrator's change with the ID and operation of the request log", async (t) => {
    const server = await watched(t);
    const { send, chat, owner } = server;
    const { headers, body } = await send('POST', '/api/v1/users', {
      form: { email: 'ben@example.com', full_name: 'Ben', password: 'a hidden password' },
    });
    const request = String(headers['x-request-id']);
    const changed = await send('PATCH', `/api/v1/users/${body.user_id}`, { form: { role: '300' } });
    assert.equal(changed.status, 200);
    const [made, edited] = await chat.auditLog();
    const { id, at_ms, client, ...rest } = made ?? assert.fail();
    assert.deepEqual(rest, {
      action: 'users.create',
      user_id: owner.user_id,
      status: 200,
      code: null,
      network: null,
      request,
      times: 1,
      details: { user_id: body.user_id, email: 'given', full_name: 'given', password: 'given' },
    });
    assert.deepEqual(edited?.details, { user_id: body.user_id, role: 300 });
    const line = await lineOf(server, request);
    assert.deepEqual([line.operation, line.status, line.user], [made?.action, made?.status, made?.user_id]);
    assert.match(await server.metrics.text(), /requests_total\{operation="users.create",status="200"\} 1\n/);
  });

  it('the audit log has refusals of access, and no invalid requests', async (t) => {
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
        code: 'BAD_REQUEST',
        times: 3,
        network: '127.0.0.1',
      },
    );
  });

  it('the audit log records who received an API key, without the key', async (t) => {
    const { send, chat, owner } = await watched(t);
    const ben = (await send('POST', '/api/v1/users', { form: { email: 'ben@example.com', full_name: 'Ben' } })).body;
    const bot = (await send('POST', '/api/v1/bots', { form: { full_name: 'Echo', short_name: 'echo' } })).body;
    const { headers, body } = await send('GET', `/api/v1/users/${ben.user_id}/api_key`);
    await send('GET', `/api/v1/bots/${bot.user_id}/api_key`);
    await chat.as('olga@example.com').users.getApiKey({ user_id: ben.user_id });
    const auth = basic('ben@example.com', body.api_key);
    assert.equal((await send('GET', `/api/v1/users/${owner.user_id}/api_key`, { auth })).status, 400);
    const entries = (await chat.auditLog()).filter(({ action }) => action.endsWith('.getApiKey'));
    assert.deepEqual(
      entries.map(({ action, user_id, status, details }) => ({ action, user_id, status, details })),
      [
        { action: 'users.getApiKey', user_id: owner.user_id, status: 200, details: { user_id: ben.user_id } },
        { action: 'bots.getApiKey', user_id: owner.user_id, status: 200, details: { bot_id: bot.user_id } },
        { action: 'users.getApiKey', user_id: owner.user_id, status: 200, details: { user_id: ben.user_id } },
        { action: 'users.getApiKey', user_id: ben.user_id, status: 400, details: { user_id: owner.user_id } },
      ],
    );
    assert.equal(entries[0]?.request, headers['x-request-id']);
  });

  it('the audit log groups logins and failed logins in few entries', async (t) => {
    // The clock stands still, so that all entries are written at once.
    const { send, chat, owner } = await watched(t, { clock: new ManualClock() });
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

  describe('audit entry, request log and metrics agree', () => {
    const HEADERS = { 'content-type': 'application/x-www-form-urlencoded', 'x-request-id': 'as-the-host-says-1' };
    const ways: Record<string, (made: Watched) => (path: string, auth: string | null, form: Form) => Promise<Sent>> = {
      'from a server':
        ({ send }) =>
        async (path, auth, form) => {
          const { status, headers } = await send('POST', path, { auth, form });
          return { status, request: String(headers['x-request-id']) };
        },
      'from fetchHandler': ({ chat, logger, metrics }) => {
        const handle = fetchHandler(chat, { logger, metrics, trustProxy: 1, address: () => '203.0.113.7' });
        return async (path, auth, form) => {
          const headers = { ...HEADERS, ...(auth === null ? {} : { authorization: auth }) };
          const body = new URLSearchParams(form).toString();
          const answer = await handle(new Request(`http://chat.example.com${path}`, { method: 'POST', headers, body }));
          await answer.text();
          return { status: answer.status, request: String(answer.headers.get('x-request-id')) };
        };
      },
    };
    const ACCOUNT = { email: 'ben@example.com', full_name: 'Ben', password: 'a hidden password' };
    for (const [way, through] of Object.entries(ways)) {
      const changes: [what: string, path: string, form: Form, isOwner: boolean, status: number][] = [
        ['a change', '/api/v1/users', ACCOUNT, true, 200],
        ['a refused login', '/api/v1/fetch_api_key', { username: 'olga@example.com', password: 'wrong' }, false, 401],
        [
          'a login with an unknown address',
          '/api/v1/fetch_api_key',
          { username: 'eve@example.com', password: 'x' },
          false,
          401,
        ],
      ];
      for (const [what, path, form, isOwner, status] of changes) {
        it(`audit entry, request log and metrics agree on ${what}, ${way}`, async (t) => {
          const made = await watched(t);
          const sent = await through(made)(path, isOwner ? made.auth : null, form);
          assert.equal(sent.status, status);
          const [entry, ...more] = await made.chat.auditLog();
          assert.deepEqual(more, []);
          const line = await lineOf(made, sent.request);
          assert.deepEqual(
            [entry?.action, entry?.status, entry?.request, entry?.times],
            [line.operation, status, sent.request, 1],
          );
          assert.equal(line.status, status);
          assert.match(
            await made.metrics.text(),
            new RegExp(`requests_total\\{operation="${entry?.action}",status="${status}"\\} 1\n`),
          );
        });
      }
    }
  });

  it('the audit log has no entry of a dry run', async (t) => {
    const { send, chat } = await watched(t);
    const { status } = await send('POST', '/api/v1/dry_run/users', {
      form: { email: 'ben@example.com', full_name: 'Ben', password: 'a hidden password' },
    });
    assert.equal(status, 200);
    assert.deepEqual(await chat.auditLog(), []);
  });

  it('request log and metrics contain no keys, passwords, addresses or contents', async (t) => {
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
    // The same for faults.
    await send('GET', '/api/v1/users/sekret@example.com?sekret-query=1');
    await send('POST', '/api/v1/messages', { form: { type: 'direct', to: '[8]', content: 'sekret content' } });
    const written = JSON.stringify([lines, await metrics.text()], (_, value) =>
      value instanceof Error ? `${value.stack}` : value,
    ).toLowerCase();
    assert.ok(lines.length > 10);
    for (const secret of secrets) assert.ok(!written.includes(secret.toLowerCase()), secret);
  });
});
