import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { normalizeSite, openSession } from '../../cli/connection.ts';
import { connect as connectInBrowser } from '../../lib/client/browser.ts';
import { connect, openChat, sqlite } from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';

const NO_SITES = [
  '',
  'chat.example.com',
  'localhost:9991',
  '/chat',
  'ftp://chat.example.com',
  'https://',
  'https://chat.example.com/?a=1',
  'https://chat.example.com/#a',
  'https://ada@chat.example.com',
];

for (const text of NO_SITES) {
  test(`"${text}" is refused as baseUrl and as site, with an example of a valid URL`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'site-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'chat.db');
    const isSaid = (option: string) => ({
      name: 'TypeError',
      message: new RegExp(`^${option} must be a URL such as https://chat\\.example\\.com`),
    });
    await assert.rejects(openChat({ storage: sqlite(path), baseUrl: text }), isSaid('baseUrl'));
    assert.equal(existsSync(path), false);
    assert.throws(() => connect({ site: text }), isSaid('site'));
    assert.throws(() => connectInBrowser({ site: text }), isSaid('site'));
    const toSite = openSession({ kind: 'site', site: text, insecure: false }, 'anyone');
    await assert.rejects(toSite, { name: 'UsageError' });
  });
}

test('baseUrl is normalized, with its path and without trailing slashes', async () => {
  for (const [text, expected] of [
    ['https://Chat.example.com:443//', 'https://chat.example.com'],
    ['http://localhost:9991/chat/', 'http://localhost:9991/chat'],
    ['https://[::1]:8080', 'https://[::1]:8080'],
  ] as const) {
    const chat = await openChat({ storage: sqlite(':memory:'), baseUrl: text });
    assert.equal(transportOf(chat).engine.options.baseUrl, expected);
    await chat.close();
  }
});

test('normalizeSite removes the path of the API', () => {
  for (const [text, expected] of [
    ['https://chat.example.com/api/v1', 'https://chat.example.com'],
    ['https://chat.example.com/api/', 'https://chat.example.com'],
    ['https://chat.example.com/chat/api/v1/', 'https://chat.example.com/chat'],
    ['https://chat.example.com//api//v1//', 'https://chat.example.com'],
    ['https://chat.example.com/chatapi', 'https://chat.example.com/chatapi'],
    ['https://chat.example.com/api/v2', 'https://chat.example.com/api/v2'],
    // A host name in a container network.
    ['http://api', 'http://api'],
    ['http://api/api/v1', 'http://api'],
  ] as const) {
    assert.equal(normalizeSite(text), expected);
  }
  assert.equal(normalizeSite('chat.example.com/api/v1'), 'https://chat.example.com');
  assert.equal(normalizeSite('localhost:9991/chat/api/v1/'), 'http://localhost:9991/chat');
});

for (const [where, connectTo] of [
  ['Node', connect],
  ['a browser', connectInBrowser],
] as const) {
  test(`connect in ${where} accepts the address of the API`, async (t) => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.end('{"result":"success","msg":""}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const session = connectTo({ site: `http://127.0.0.1:${port}/chat/api/v1/`, patienceMs: 0 });
    await session.serverSettings.get();
    await session.close();
    assert.deepEqual(asked, ['/chat/api/v1/server_settings']);
  });
}

test('the error for a baseUrl with a password does not contain the password', async () => {
  const opening = openChat({ storage: sqlite(':memory:'), baseUrl: 'https://ada:secret@chat.example.com' });
  await assert.rejects(opening, (error: Error) => !error.message.includes('secret'));
});
