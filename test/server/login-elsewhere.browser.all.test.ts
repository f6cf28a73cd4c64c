import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { ldap } from '../../lib/index.ts';
import { BASE, NO_SLAPD, person, SERVICE, startSlapd } from '../adapters/slapd.ts';
import { NO_BROWSER, sharedBrowser } from '../client/pages.ts';
import { until } from '../support/until.ts';
import { CLIENT, identityProvider } from './identity-provider.ts';
import { running } from './running.ts';

describe('a login elsewhere in a browser', { skip: NO_BROWSER }, () => {
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
  });

  it('at a provider leads from the button to the chat, and from an app to its link, without complaints of the browser', async (t) => {
    const people = { ben: { name: 'Ben Ngo', email: 'ben@example.com', email_verified: true } };
    const provider = await identityProvider(t, people);
    const { url, chat } = await running(t, {
      oidc: [{ issuer: provider.issuer, ...CLIENT, name: 'Example', open: true }],
    });
    provider.serves(url);
    const context = await browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${url}/`);
    await page.getByRole('link', { name: 'Log in with Example' }).click();
    await page.getByLabel('Login').fill('ben');
    await page.getByRole('button', { name: 'Go' }).click();
    await page.waitForURL(`${url}/`);
    const { members } = await chat.system().users.list();
    assert.ok(members.some(({ full_name }) => full_name === 'Ben Ngo'));

    // In another browser: an app has opened the page, and the person uses a password.
    const user = members.find(({ full_name }) => full_name === 'Ben Ngo');
    await chat.system().users.setPassword({ user_id: user?.user_id ?? 0, password: 'a long password' });
    const other = await browser.newContext();
    t.after(() => other.close());
    const login = await other.newPage();
    login.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    const links: string[] = [];
    login.on('request', (request) => links.push(request.url()));
    login.on('response', async (response) => links.push((await response.headerValue('location')) ?? ''));
    await login.goto(`${url}/login?mobile_flow_otp=${'a1'.repeat(32)}`);
    await login.getByRole('textbox', { name: 'E-mail' }).first().fill('ben@example.com');
    await login.getByRole('textbox', { name: 'Password' }).fill('a long password');
    await login.getByRole('button', { name: 'Log in', exact: true }).click();
    await until('the app gets its link', () =>
      links.some((link) => link.startsWith('zulip://login?otp_encrypted_api_key=')),
    );
    assert.deepEqual(
      complaints.filter((text) => /Content Security Policy|form-action/i.test(text)),
      [],
    );
    assert.deepEqual(
      asked.filter((address) => !address.startsWith(url) && !address.startsWith(provider.issuer)),
      [],
    );
  });

  it('with a user name and the password of a directory leads to the chat', { skip: NO_SLAPD }, async (t) => {
    const slapd = await startSlapd([person('ben', { cn: 'Ben Ngo' })]);
    t.after(() => slapd.stop());
    const directory = ldap({ url: slapd.url, base: BASE, ...SERVICE, filter: '(uid={login})' });
    const { url, chat } = await running(t, {}, { directory });
    const context = await browser.newContext({ javaScriptEnabled: false });
    t.after(() => context.close());
    const page = await context.newPage();
    await page.goto(`${url}/login`);
    await page.getByRole('textbox', { name: 'E-mail or user name' }).fill('ben');
    await page.getByRole('textbox', { name: 'Password' }).fill('password of ben');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.waitForURL(`${url}/`);
    const { members } = await chat.system().users.list();
    assert.ok(members.some(({ full_name }) => full_name === 'Ben Ngo'));
  });
});
