import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createTransport } from 'nodemailer';
import { NOTIFICATIONS, notify } from '../../examples/notify.ts';
import { testChat } from '../../lib/testing/testing.ts';
import { openMailbox } from '../support/mailbox.ts';
import { until } from '../support/until.ts';

test('the program sends its own e-mail about missed messages, and a webhook for each at once', async (t) => {
  const box = await openMailbox(t);
  const hooks: Record<string, unknown>[] = [];
  const server = createServer(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += chunk;
    hooks.push(JSON.parse(body));
    // The first attempt fails, so the chat repeats it.
    res.writeHead(hooks.length === 1 ? 503 : 200).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { chat, people, clock, close } = await testChat({
    notifications: NOTIFICATIONS,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  t.after(close);
  const transport = createTransport(box.url, { from: 'The shop <chat@shop.example.com>' });
  t.after(() => transport.close());
  await notify(chat, {
    mail: (email) => transport.sendMail(email),
    webhookUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  });
  for (const content of ['Soup is ready', 'Come!'])
    await people.dora.messages.send({ type: 'direct', to: [people.emil.user_id], content });
  await chat.runDue();
  await until('the webhook was called for both messages', () => {
    clock.advance({ seconds: 1 });
    return hooks.length >= 3;
  });
  const positions = hooks.map(({ position }) => position);
  assert.deepEqual([positions[0] === positions[1], positions[1] === positions[2]], [true, false]);
  assert.deepEqual([hooks[2]?.place, hooks[2]?.reasons], ['Dora', ['direct message']]);
  assert.equal(box.letters.length, 0);
  clock.advance({ minutes: 3 });
  await chat.runDue();
  await until('the e-mail arrives', () => box.letters.length === 1);
  const { to, subject, text = '' } = box.latest();
  assert.deepEqual([to?.[0]?.address, subject], [people.emil.email, '2 new in Dora']);
  assert.match(text, /^Dora: Soup is ready\r?\n\r?\nDora: Come!\r?\n\r?\nhttp/);
});
