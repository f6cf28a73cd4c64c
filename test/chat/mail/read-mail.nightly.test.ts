import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMailInThread } from '../../../lib/chat/mail/mail-reader.ts';

test('an e-mail that takes too long to read is refused, and others are read meanwhile', async () => {
  const slow = Buffer.from(`From: eve@example.com\r\n\r\n${'a\r\n'.repeat(8_000_000)}`);
  const refused = assert.rejects(readMailInThread(slow, { domain: 'x.org' }), /too many parts/);
  const start = performance.now();
  await readMailInThread(Buffer.from('From: ada@example.com\r\n\r\nHello'), { domain: 'x.org' });
  assert.ok(performance.now() - start < 5_000);
  await refused;
});
