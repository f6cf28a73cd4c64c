import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ProviderCalls } from '../../server/sign-in/provider-calls.ts';

type LookUp = NonNullable<ConstructorParameters<typeof ProviderCalls>[1]>;

/** Names and their addresses, as DNS servers answer. They can change. */
const dns =
  (names: Record<string, readonly string[]>): LookUp =>
  (name, _, callback) =>
    callback(
      null,
      (names[name] ?? []).map((address) => ({ address, family: 4 })),
    );

/** A server on this machine. `paths` are those that were called. */
async function machine(t: TestContext): Promise<{ port: number; paths: string[] }> {
  const paths: string[] = [];
  const server = createServer((req, res) => {
    paths.push(req.url ?? '');
    res.end('{"secret":"of an internal service"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { port: (server.address() as AddressInfo).port, paths };
}

const GET = { method: 'GET', headers: {}, body: null, redirect: 'manual' } as const;

/** No test calls it. */
const PUBLIC = '8.8.8.8';

test('what a provider names is not called in a private network, by address or by name', async (t) => {
  const { port, paths } = await machine(t);
  const names = dns({
    'login.example': [PUBLIC],
    'inside.example': ['127.0.0.1'],
    'both.example': [PUBLIC, '127.0.0.1'],
  });
  const calls = new ProviderCalls(new URL('https://login.example'), names);
  for (const host of [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'inside.example',
    'both.example',
    '169.254.169.254',
  ])
    await assert.rejects(
      calls.fetch(`http://${host}:${port}/jwks`, GET),
      { name: 'TypeError', message: /private network/ },
      host,
    );
  assert.deepEqual(paths, []);
});

test('a provider in a private network may name other addresses there', async (t) => {
  const { port, paths } = await machine(t);
  const names = dns({ 'login.example': ['127.0.0.1'], 'tokens.example': ['127.0.0.1'] });
  const calls = new ProviderCalls(new URL(`http://login.example:${port}`), names);
  await calls.fetch(`http://login.example:${port}/description`, GET);
  const answer = await calls.fetch(`http://tokens.example:${port}/jwks`, GET);
  assert.deepEqual([answer.status, await answer.json()], [200, { secret: 'of an internal service' }]);
  assert.deepEqual(paths, ['/description', '/jwks']);
});

test('a public provider that moves its name to a private address does not become an internal one', async (t) => {
  const { port, paths } = await machine(t);
  const names: Record<string, readonly string[]> = { 'login.example': ['127.0.0.1'] };
  // Nothing listens for the issuer at the private address.
  const calls = new ProviderCalls(new URL('http://login.example:9'), dns(names));
  await assert.rejects(calls.fetch('http://login.example:9/description', GET), TypeError);
  await assert.rejects(calls.fetch(`http://127.0.0.1:${port}/jwks`, GET), /private network/);
  assert.deepEqual(paths, []);
});

test('the answer of a provider is read up to 1 MiB', async (t) => {
  const server = createServer((_, res) => res.end(Buffer.alloc(1024 * 1024 + 1)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const calls = new ProviderCalls(new URL(`http://127.0.0.1:${port}`));
  await assert.rejects(calls.fetch(`http://127.0.0.1:${port}/`, GET), /more than 1048576 bytes/);
});
