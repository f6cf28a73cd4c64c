import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSession } from '../../cli/open-session.ts';
import { connect, openChat, sqlite } from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import { connect as connectInBrowser } from '../../lib/remote/browser.ts';

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
  test(`"${text}" is refused as baseUrl and as site, in a sentence that says what to give`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'site-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'chat.db');
    const isSaid = (option: string) => ({
      name: 'TypeError',
      message: new RegExp(`^${option} must be an address such as https://chat\\.example\\.com`),
    });
    await assert.rejects(openChat({ storage: sqlite(path), baseUrl: text }), isSaid('baseUrl'));
    assert.equal(existsSync(path), false);
    assert.throws(() => connect({ site: text }), isSaid('site'));
    assert.throws(() => connectInBrowser({ site: text }), isSaid('site'));
    const toSite = openSession({ kind: 'site', site: text, insecure: false }, 'anyone');
    await assert.rejects(toSite, { name: 'UsageError' });
  });
}

test('an address is kept in its usual form, with its path and without slashes at the end', async () => {
  for (const [text, expected] of [
    ['https://Chat.example.com:443//', 'https://chat.example.com'],
    ['http://localhost:9991/chat/', 'http://localhost:9991/chat'],
    ['https://[::1]:8080', 'https://[::1]:8080'],
  ] as const) {
    const chat = await openChat({ storage: sqlite(':memory:'), baseUrl: text });
    assert.equal(transportOf(chat).baseUrl, expected);
    await chat.close();
  }
});

test('a login in a wrong address is not repeated', async () => {
  const opening = openChat({ storage: sqlite(':memory:'), baseUrl: 'https://ada:secret@chat.example.com' });
  await assert.rejects(opening, (error: Error) => !error.message.includes('secret'));
});
