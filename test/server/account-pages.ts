import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it, type TestContext } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { connect, smtp } from '../../lib/index.ts';
import { launched, NO_BROWSER } from '../client/pages.ts';
import { linksIn } from '../domains/users/password-reset/links.ts';
import { axeFindings } from '../panel/page.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { untilEqual } from '../support/until.ts';
import { type Running, running } from './running.ts';

/** Folder for screenshots. Without it, none are taken. */
const SHOTS = process.env.PARLANCE_SHOTS;

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true };
const DESKTOP = { viewport: { width: 1280, height: 900 } };
export const WITHOUT_SCRIPTS = ['on a phone without scripts', { ...PHONE, javaScriptEnabled: false }] as const;
export const DARK = ['at a desk in the dark', { ...DESKTOP, colorScheme: 'dark' }] as const;

type Way = readonly [name: string, options: BrowserContextOptions];

const NEW = 'the play is the thing';

/** A server that sends e-mail, and a page that fails the test if it loads from other sites. */
async function setUp(t: TestContext, [way, options]: Way) {
  const box = await openMailbox(t);
  const server = await running(t, {}, { mail: smtp({ url: box.url, from: 'chat@example.com' }) });
  const { context: copies } = await launched(t);
  const context = await copies.browser()?.newContext({ ...options, acceptDownloads: true });
  assert.ok(context);
  const page = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  t.after(() => {
    assert.deepEqual(
      asked.filter((url) => !url.startsWith(server.url) && !url.startsWith('data:')),
      [],
    );
    assert.deepEqual(
      complaints.filter((text) => !/status of 4\d\d/.test(text)),
      [],
    );
  });
  const copy = await copies.newPage();
  if (options.viewport) await copy.setViewportSize(options.viewport);
  await copy.emulateMedia({ colorScheme: options.colorScheme ?? 'light' });
  /** The page has no accessibility findings and is not wider than the window. */
  const assertGood = async (name: string) => {
    const shot = `${name}, ${way[0]}`.replaceAll(/[ ,]+/g, '-');
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/${shot}.png`, fullPage: true });
    // axe is a script, so it checks a copy of the page, where scripts run.
    await copy.setContent(await page.content());
    assert.deepEqual(await axeFindings(copy), [], shot);
    const isWide = await copy.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth > clientWidth;
    });
    assert.equal(isWide, false, shot);
  };
  return { server, box, page, asked, assertGood };
}

const last = async ({ chat }: Running, box: Mailbox) => {
  await chat.runDue();
  return String(linksIn(box.letters.at(-1)?.text)[0]);
};

/** Fills in the fields with these labels. */
async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
}

const zuliprcOf = async (page: Page) => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'zuliprc');
  const text = await readFile(await download.path(), 'utf8');
  const values = Object.fromEntries(text.split('\n').map((line) => line.split('=')));
  return { site: String(values.site), email: String(values.email), api_key: String(values.key) };
};

/** What a user does at the pages of accounts. */
export function accountPages(way: Way): void {
  describe(`account pages in a browser, ${way[0]}`, { skip: NO_BROWSER }, () => {
    it('an account logs in with a password, after a wrong one, and logs out', async (t) => {
      const { server, page, assertGood } = await setUp(t, way);
      await page.goto(`${server.url}/login`);
      await assertGood('login');
      const [submit] = [page.getByRole('button', { name: 'Log in', exact: true })];
      const password = page.getByLabel('Password', { exact: true });
      await page.getByLabel('E-mail', { exact: true }).first().fill(server.owner.email);
      await password.fill('wrong');
      await submit.click();
      await page.getByRole('alert').getByText('The user name or the password is wrong.').waitFor();
      await assertGood('login refused');
      await password.fill('a long password');
      await submit.click();
      await page.waitForURL(`${server.url}/`);
      await page.goto(`${server.url}/logout`);
      await assertGood('logout');
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.waitForURL(`${server.url}/login`);
      await page.goto(`${server.url}/`);
      await untilEqual(() => page.url(), `${server.url}/login`);
    });

    it('an invited user joins with the link of an e-mail and sends a message', async (t) => {
      const { server, box, page, asked, assertGood } = await setUp(t, way);
      const owner = server.chat.as(server.owner.user_id);
      await owner.organization.edit({ description: 'Boats, cranes and **everything** between them.' });
      const ids: number[] = [];
      for (const name of ['general', 'tides and weather', 'lost property']) {
        ids.push((await owner.channels.create({ name, subscribers: [server.owner.user_id] })).id);
      }
      await owner.invites.send({ invitee_emails: 'ada@example.com', stream_ids: ids });
      const link = await last(server, box);
      await page.goto(link);
      await untilEqual(() => page.title(), 'Join Harbour & Sons');
      await assertGood('join');
      await fill(page, { 'Your name': 'Ada Lovelace', 'Choose a password': 'Ada Lovelace' });
      await page.getByRole('button', { name: 'Join Harbour & Sons' }).click();
      await untilEqual(() => page.title(), 'Error: Join Harbour & Sons');
      await untilEqual(() => page.getByLabel('Your name', { exact: true }).inputValue(), 'Ada Lovelace');
      await untilEqual(() => page.getByLabel('Choose a password', { exact: true }).inputValue(), '');
      await assertGood('join-refused');
      await fill(page, { 'Choose a password': NEW });
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'You have joined Harbour & Sons' }).waitFor();
      await assertGood('joined');
      await untilEqual(() => page.url(), link);
      const rc = await zuliprcOf(page);
      assert.deepEqual(rc, {
        site: server.url,
        email: 'ada@example.com',
        api_key: await server.chat.apiKeyOf('ada@example.com'),
      });
      assert.ok(asked.every((url) => url.startsWith('data:') || !url.includes(rc.api_key)));
      const session = connect(rc);
      await session.messages.send({ type: 'channel', to: 'general', topic: 'hello', content: 'Here I am' });
      await session.close();
      await page.getByRole('link', { name: 'Open Harbour & Sons' }).click();
      await page.waitForURL(`${server.url}/`);
      await page.goto(link);
      await page.getByRole('heading', { name: 'This invitation has been used' }).waitFor();
      await assertGood('join-used');
    });

    it('a user joins with a reusable link and an own address', async (t) => {
      const { server, box, page, assertGood } = await setUp(t, way);
      const { invite_link } = await server.chat.as(server.owner.user_id).invites.createMultiuse({ invite_as: 600 });
      await page.goto(invite_link);
      await assertGood('join-many');
      await fill(page, { 'Your e-mail address': 'gus@mailinator.com' });
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      await assertGood('join-many-refused');
      await fill(page, { 'Your e-mail address': 'gus@example.com' });
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
      await assertGood('join-many-sent');
      await page.goto(await last(server, box));
      await assertGood('join-confirmed');
      await fill(page, { 'Your name': 'Gus', 'Choose a password': NEW });
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'You have joined' }).waitFor();
      const { members } = await server.chat.as(server.owner.user_id).users.list();
      assert.equal(members.find(({ delivery_email }) => delivery_email === 'gus@example.com')?.role, 600);
    });

    it('a user resets a forgotten password with the link of an e-mail', async (t) => {
      const { server, box, page, assertGood } = await setUp(t, way);
      await page.goto(server.url);
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await assertGood('forgot');
      await fill(page, { 'E-mail address of your account': 'olga@example.com' });
      await page.getByRole('button', { name: 'Send the link' }).click();
      await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
      await assertGood('forgot-sent');
      await server.chat.runDue();
      const link = String(linksIn(box.letters.at(-1)?.text).find((one) => one.includes('/reset/')));
      await page.goto(link);
      await assertGood('reset');
      await fill(page, { 'New password': NEW, 'Repeat the password': 'the play is the thin' });
      await page.getByRole('button', { name: 'Set the password' }).click();
      await assertGood('reset-refused');
      await fill(page, { 'New password': NEW, 'Repeat the password': NEW });
      await page.getByRole('button', { name: 'Set the password' }).click();
      await page.getByRole('heading', { name: 'Your password is set' }).waitFor();
      await assertGood('reset-done');
      const session = connect(await zuliprcOf(page));
      assert.equal((await session.users.me()).full_name, 'Olga');
      await session.close();
      await page.goto(link);
      await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
      await assertGood('reset-dead');
    });
  });
}
