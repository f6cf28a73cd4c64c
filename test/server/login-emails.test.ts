import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smtp } from '../../lib/index.ts';
import { openMailbox } from '../support/mailbox.ts';
import { running } from './running.ts';

test('a login with the password sends an e-mail, unless the user turns these e-mails off', async (t) => {
  const box = await openMailbox(t);
  const { send, chat, owner } = await running(t, {}, { mail: smtp({ url: box.url, from: 'chat@example.com' }) });
  const logIn = async (password: string) => {
    await send('POST', '/api/v1/fetch_api_key', { auth: null, form: { username: owner.email, password } });
    await chat.runDue();
    return box.letters.length;
  };
  assert.equal(await logIn('a wrong password'), 0);
  assert.equal(await logIn('a long password'), 1);
  assert.equal(box.latest().subject, 'New login to Harbour & Sons');
  await chat.as(owner.user_id).settings.edit({ enable_login_emails: false });
  assert.equal(await logIn('a long password'), 1);
});
