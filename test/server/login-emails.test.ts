import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smtp } from '../../lib/index.ts';
import { openMailbox } from '../support/mailbox.ts';
import { running } from './running.ts';

test('a login from a new network or client program sends an e-mail, unless the user turns these e-mails off', async (t) => {
  const box = await openMailbox(t);
  const mail = smtp({ url: box.url, from: 'chat@example.com' });
  const { send, chat, owner } = await running(t, { trustProxy: 1 }, { mail });
  const logIn = async (network: string, client: string, password = 'a long password') => {
    const headers = { 'x-forwarded-for': network, 'user-agent': client };
    await send('POST', '/api/v1/fetch_api_key', { auth: null, headers, form: { username: owner.email, password } });
    await chat.runDue();
    return box.letters.length;
  };
  assert.equal(await logIn('192.0.2.1', 'Phone/1.0', 'a wrong password'), 0);
  assert.equal(await logIn('192.0.2.1', 'Phone/1.0'), 1);
  assert.equal(box.latest().subject, 'New login to Harbour & Sons');
  assert.match(box.latest().text ?? '', /sign in with Phone /);
  assert.equal(await logIn('192.0.2.1', 'Phone/1.1'), 1, 'a known client and network');
  assert.equal(await logIn('198.51.100.7', 'Phone/1.1'), 2, 'another network');
  assert.equal(await logIn('192.0.2.1', 'curl/8'), 3, 'another client');
  assert.equal(await logIn('198.51.100.7', 'curl/8'), 3, 'both are known');
  await chat.as(owner.user_id).settings.edit({ enable_login_emails: false });
  assert.equal(await logIn('203.0.113.9', 'Phone/1.1'), 3);
});
