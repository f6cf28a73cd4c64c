import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { openChat, smtp, sqlite } from '../../lib/index.ts';
import { organization } from './organization.ts';

const MAIL = ['--smtp', 'smtp://127.0.0.1:9', '--mail-from', 'chat@example.com', '--mail-replies', 'reply.example.com'];

async function withStdin<T>(text: string, work: () => Promise<T>): Promise<T> {
  const before = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([Buffer.from(text)]) });
  return work().finally(() => Object.defineProperty(process, 'stdin', before));
}

test('chatctl mail receive sends the message of an e-mail, with exit codes that mail servers know', async (t) => {
  const { path, run } = await organization(t);
  const mail = smtp({ url: 'smtp://127.0.0.1:9', from: 'chat@example.com', replies: { domain: 'reply.example.com' } });
  const chat = await openChat({ storage: sqlite(path), mail });
  const ada = chat.as('ada@example.com');
  const { id } = await ada.channels.create({ name: 'general', subscribers: [(await ada.users.me()).user_id] });
  const { email } = await ada.channels.getEmailAddress({ stream_id: id });
  await chat.close();
  const text = (to: string) =>
    `From: eve@example.org\nDelivered-To: ${to}\nSubject: Cake\nMessage-ID: <1@x>\n\nNuts?\n`;
  const receive = (to: string, ...more: string[]) =>
    withStdin(text(to), () => run('mail', 'receive', ...MAIL, ...more));
  const sent = await receive(email);
  assert.equal(sent.exitCode, 0, sent.err);
  assert.match(sent.out, /^Sent the message \d+\.\n$/);
  assert.deepEqual(await receive(email), sent);
  assert.equal((await receive('list@example.org', '--to', email)).exitCode, 0);
  assert.equal((await receive('list@example.org')).exitCode, 67);
  assert.equal((await withStdin('', () => run('mail', 'receive'))).exitCode, 2);
  await writeFile(path, 'x'.repeat(5_000));
  assert.equal((await receive(email)).exitCode, 75);
});
