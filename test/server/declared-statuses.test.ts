import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { GenericSchema } from 'valibot';
import { catalogue, type Operation, routesOf, textKind, transportOf } from '../../lib/internal.ts';
import { requestListener } from '../../server/index.ts';
import type { ListenerOptions } from '../../server/options.ts';
import { assertDescribed } from '../world/described-answers.ts';
import { listening, type Running, running, type SendOptions, send } from './running.ts';

const routes = (catalogue as readonly Operation[]).flatMap((operation) =>
  routesOf(operation).map((route) => ({ operation, ...route })),
);

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Faults before an operation is executed, with their status. A request to any operation may have them. */
const FAULTS: readonly { what: string; status: number; query?: string; options?: (server: Running) => SendOptions }[] =
  [
    { what: 'an invalid escape in the query', status: 400, query: '?x=%zz' },
    { what: 'a name in the query that is too long', status: 400, query: `?${'x'.repeat(300)}=1` },
    { what: 'an invalid escape in the body', status: 400, options: () => ({ headers: FORM, body: 'x=%zz' }) },
    {
      what: 'a body that is too large',
      status: 413,
      options: () => ({ headers: FORM, body: `x=${'y'.repeat(20_000)}` }),
    },
    {
      what: 'a compressed body',
      status: 415,
      options: () => ({ headers: { ...FORM, 'content-encoding': 'gzip' }, body: 'x=y' }),
    },
  ];

/** Only if credentials are read. */
const LOGIN_FAULTS: typeof FAULTS = [
  { what: 'no credentials', status: 401, options: () => ({ auth: null }) },
  { what: 'a malformed key', status: 401, options: () => ({ auth: 'Basic eDp5' }) },
  { what: 'a malformed token', status: 401, options: () => ({ auth: 'Bearer x' }) },
  {
    what: 'the account of another user',
    status: 409,
    options: ({ auth }) => ({ auth, headers: { 'parlance-account': '999999' } }),
  },
  { what: 'an unsupported scheme', status: 400, options: () => ({ auth: 'Digest x' }) },
];

const filled = (path: string, value = '999999') => `/api/v1${path.replace(/\{\w+\}/g, value)}`;

async function listener(t: TestContext, options: ListenerOptions): Promise<{ server: Running; port: number }> {
  const server = await running(t, { rateLimits: false });
  const port = await listening(t, createServer(requestListener(server.chat, options)));
  return { server, port };
}

test('the statuses of faulty requests to every operation are in the OpenAPI description', async (t) => {
  const { server, port } = await listener(t, { rateLimits: false, maxBodyBytes: 10_000 });
  for (const { operation, method, path } of routes) {
    const faults = operation.access === 'anyone' ? FAULTS : [...FAULTS, ...LOGIN_FAULTS];
    for (const { what, status, query = '', options } of faults) {
      const answer = await send(port, method, filled(path) + query, { auth: server.auth, ...options?.(server) });
      assert.equal(answer.status, status, `${what}, ${method} ${path}: ${answer.text}`);
      assertDescribed({ method, path }, answer.status, answer.body.code);
    }
  }
});

test('the status 404 for text in place of an integer in a path is in the OpenAPI description', async (t) => {
  const { server, port } = await listener(t, { rateLimits: false });
  for (const { operation, method, path } of routes) {
    const [, name = ''] = /\{(\w+)\*?\}/.exec(path) ?? [];
    if (name === '' || textKind(operation.params[name] as GenericSchema) === 'text') continue;
    // Text in this path is an e-mail address.
    if (path === '/users/{user_id}') continue;
    const answer = await send(port, method, filled(path, 'number nine').replaceAll(' ', '%20'), { auth: server.auth });
    assert.equal(answer.status, 404, `${method} ${path}: ${answer.text}`);
    assertDescribed({ method, path }, 404, answer.body.code);
  }
});

test('the status 429 of every operation is in the OpenAPI description', async (t) => {
  const once = { seconds: 60, max: 1 };
  const { server, port } = await listener(t, { rateLimits: { api_by_user: once, api_by_ip: once } });
  for (const { operation, method, path } of routes) {
    const auth = operation.access === 'anyone' ? null : server.auth;
    await send(port, method, filled(path), { auth });
    const answer = await send(port, method, filled(path), { auth });
    assert.equal(answer.status, 429, `${method} ${path}`);
    assertDescribed({ method, path }, 429, answer.body.code);
  }
});

test('the status 403 for a page of another site, with the login of the host, is in the OpenAPI description', async (t) => {
  const { server, port } = await listener(t, { rateLimits: false, authenticate: () => ({ user_id: 4 }) });
  assert.ok(server.owner.user_id === 4);
  for (const { operation, method, path } of routes) {
    if (operation.access === 'anyone' || method === 'GET') continue;
    const answer = await send(port, method, filled(path), { headers: { 'sec-fetch-site': 'cross-site' } });
    assert.equal(answer.status, 403, `${method} ${path}`);
    assertDescribed({ method, path }, 403, answer.body.code);
  }
});

test('the status 503 of every operation with a closed database is in the OpenAPI description', async (t) => {
  const { server, port } = await listener(t, { rateLimits: false });
  assert.equal((await send(port, 'GET', '/api/v1/users/me', { auth: server.auth })).status, 200);
  await server.chat.close();
  for (const { method, path } of routes) {
    const answer = await send(port, method, filled(path), { auth: server.auth });
    assert.equal(answer.status, 503, `${method} ${path}: ${answer.text}`);
    assertDescribed({ method, path }, answer.status, answer.body.code);
  }
});

test('the status 500 of every operation is in the OpenAPI description', async (t) => {
  const { server, port } = await listener(t, { rateLimits: false });
  const { storage } = transportOf(server.chat).engine;
  const fail = () => Promise.reject(new Error('a defect'));
  storage.read = fail;
  storage.write = fail;
  for (const { operation, method, path } of routes) {
    assertDescribed({ method, path }, 500, 'INTERNAL_SERVER_ERROR');
    // Without credentials to check, a request may end before it reads anything.
    if (operation.access === 'anyone') continue;
    const { status, body } = await send(port, method, filled(path), { auth: server.auth });
    assert.deepEqual([status, body.code], [500, 'INTERNAL_SERVER_ERROR'], `${method} ${path}`);
  }
});
