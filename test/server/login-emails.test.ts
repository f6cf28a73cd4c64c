import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smtp } from '../../lib/index.ts';
import { browserName } from '../../server/authentication.ts';
import { openMailbox } from '../support/mailbox.ts';
import { running } from './running.ts';

test('browsers are known by their name and operating system, whatever other names they have', () => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  for (const [userAgent, name] of [
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
    [`Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.6 Safari/605.1.15`, 'Safari on macOS'],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${webkit} Version/18.6 Mobile/15E148 Safari/604.1`,
      'Safari on iPhone',
    ],
    ['Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.4522', undefined],
    ['Mozilla/5.0 (compatible; Chrome/1)', 'Chrome'],
    ['ZulipMobile/27 (Android 14) Chrome/142', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(browserName(userAgent), name, userAgent);
  }
});

test('a login from a new network or program sends an e-mail, unless the user turns these e-mails off', async (t) => {
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
  const firefox = (version: number, system: string) =>
    `Mozilla/5.0 (${system}; rv:${version}.0) Gecko Firefox/${version}.0`;
  const windows = 'Windows NT 10.0; Win64; x64';
  assert.equal(await logIn('192.0.2.1', firefox(144, windows)), 4);
  assert.match(box.latest().text ?? '', /sign in with Firefox on Windows \(/);
  assert.equal(await logIn('192.0.2.1', firefox(145, windows)), 4, 'a new version');
  assert.equal(await logIn('192.0.2.1', firefox(145, 'X11; Linux x86_64')), 5, 'another operating system');
  const atThePage = async (client: string) => {
    const headers = { 'x-forwarded-for': '192.0.2.1', 'user-agent': client };
    await send('POST', '/login', { auth: null, headers, form: { email: owner.email, password: 'a long password' } });
    await chat.runDue();
    return box.letters.length;
  };
  assert.equal(await atThePage(firefox(145, windows)), 5, 'a known browser at the login page');
  assert.equal(await atThePage(firefox(145, 'Macintosh; Intel Mac OS X 14.6')), 6, 'another browser there');
  assert.match(box.latest().text ?? '', /sign in with Firefox on macOS \(/);
  await chat.as(owner.user_id).settings.edit({ enable_login_emails: false });
  assert.equal(await logIn('203.0.113.9', 'Phone/1.1'), 6);
});
