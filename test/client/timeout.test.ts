import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { connect as connectInBrowser } from '../../lib/client/browser.ts';
import { connect } from '../../lib/index.ts';
import { listening } from '../server/running.ts';

for (const [where, open] of [
  ['on Node', connect],
  ['in browsers', connectInBrowser],
] as const) {
  test(`a response that stops in the middle is refused after the timeout, ${where}`, async (t) => {
    const server = createServer((_, res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.write('{"result": "succ');
    });
    const site = `http://127.0.0.1:${await listening(t, server)}`;
    const session = open({ site, email: 'ada@example.com', api_key: 'key', timeoutMs: 100 });
    t.after(() => session.close());
    await assert.rejects(session.users.me(), { name: 'Unreachable', message: /no response within 100 ms/ });
  });

  test(`a response that arrives slowly is read completely, ${where}`, async (t) => {
    const text = JSON.stringify({ result: 'success', msg: '', full_name: 'Ädä' });
    const bytes = Buffer.from(text);
    let at = 0;
    const server = createServer((_, res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
      // Longer than the timeout, split within letters.
      const timer = setInterval(() => {
        res.write(bytes.subarray(at, ++at));
        if (at === bytes.length) clearInterval(timer);
      }, 30);
    });
    const site = `http://127.0.0.1:${await listening(t, server)}`;
    const session = open({ site, email: 'ada@example.com', api_key: 'key', timeoutMs: 1200 });
    t.after(() => session.close());
    assert.equal((await session.users.me()).full_name, 'Ädä');
  });
}
