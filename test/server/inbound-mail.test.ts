import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smtp } from '../../lib/index.ts';
import { openMailbox } from '../support/mailbox.ts';
import { basic, running } from './running.ts';

const SECRET = 'a-secret-of-at-least-32-characters';
const BEARER = `Bearer ${SECRET}`;

async function open(t: Parameters<typeof running>[0]) {
  const box = await openMailbox(t);
  const mail = smtp({ url: box.url, from: 'chat@example.com', replies: { domain: 'reply.example.com' } });
  const server = await running(t, { inboundMailSecret: SECRET }, { mail });
  const as = server.chat.as(server.owner.user_id);
  const { id } = await as.channels.create({ name: 'general', subscribers: [server.owner.user_id] });
  const { email } = await as.channels.getEmailAddress({ stream_id: id });
  const raw = `From: eve@example.org\r\nTo: ${email}\r\nSubject: Cake\r\nMessage-ID: <1@example.org>\r\n\r\nNuts?`;
  const post = (auth: string | null, body: string | Buffer = raw, headers: Record<string, string> = {}, query = '') =>
    server.send('POST', `/inbound/mail${query}`, {
      auth,
      body,
      headers: { 'Content-Type': 'message/rfc822', ...headers },
    });
  const texts = async () => {
    const narrow = [{ operator: 'topic', operand: 'Cake' }];
    const { messages } = await as.messages.list({
      narrow,
      anchor: 'newest',
      num_before: 9,
      num_after: 0,
      apply_markdown: false,
    });
    return messages.map(({ content }) => content);
  };
  return { ...server, email, raw, post, texts };
}

test('the webhook of a mail provider sends the message of an e-mail once', async (t) => {
  const { post, texts, email, raw } = await open(t);
  const first = await post(BEARER);
  assert.equal(first.status, 200);
  const { results } = first.body;
  assert.deepEqual(results, [{ status: 'sent', recipient: email, message_id: results[0].message_id }]);
  assert.deepEqual((await post(basic('any', SECRET))).body.results, results);
  assert.deepEqual(await texts(), ['Nuts?']);
  const query = `?to=${encodeURIComponent(email.replace('@', '+show-sender@'))}&from=eve@example.org`;
  await post(BEARER, raw.replace('<1@', '<2@').replace(email, 'list@example.org'), {}, query);
  assert.deepEqual(await texts(), ['Nuts?', '**From:** <eve@example.org>\n\nNuts?']);
});

test('the webhook for mail is refused without its secret, and for what is not an e-mail', async (t) => {
  const { post, texts } = await open(t);
  for (const auth of [null, 'Bearer x', `Bearer ${SECRET}x`, basic(SECRET, 'x')])
    assert.equal((await post(auth)).status, 401, String(auth));
  assert.equal((await post(BEARER, 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' })).status, 415);
  assert.equal((await post(BEARER, Buffer.alloc(26 * 1024 * 1024))).status, 413);
  assert.deepEqual(await texts(), []);
});

test('without a secret, the server has no webhook for mail, and a short secret is refused', async (t) => {
  const server = await running(t);
  assert.equal((await server.send('POST', '/inbound/mail', { auth: BEARER, body: 'x' })).status, 404);
  await assert.rejects(running(t, { inboundMailSecret: 'short' }), /at least 32 characters/);
});
