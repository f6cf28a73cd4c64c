import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { connect } from '../../lib/index.ts';

test('the error for a server without TLS says so in one line', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const site = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const session = connect({ site });
  await assert.rejects(session.serverSettings.get(), {
    name: 'Unreachable',
    message: /^Cannot reach https:\/\/[\d.:]+: (wrong version number|packet length too long)$/,
  });
  await session.close();
});
