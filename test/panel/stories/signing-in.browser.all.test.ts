import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { requestListener } from '../../../server/index.ts';
import { NO_HANDLERS, WITH_PROFILES } from '../../client/pages.ts';
import { listening } from '../../server/running.ts';
import { codeOf } from '../../support/authenticator.ts';
import { until, untilEqual, untilMatch } from '../../support/until.ts';
import { DESKTOP, untilLive } from '../app/app.ts';
import { axe, composer, rareStory, rowsWith, send, signInWithPassword, stage, story } from './stage.ts';

const PASSWORD = 'parlance-demo';

story(
  'the link of the demo opens a chat, once',
  [{ size: 'desktop' }, { size: 'phone', scheme: 'dark' }],
  async (t, look) => {
    const chat = await stage(t);
    const { page } = await chat.blank(look);
    await page.goto(`${chat.url}${chat.link}`);
    await untilLive(page);
    await untilEqual(() => page.url(), `${chat.url}/`);
    await axe(page);
    await page.goto(`${chat.url}/#narrow/channel/${await chat.channel('Verona')}/topic/welcome`);
    await rowsWith(page, 'Welcome to the demo').waitFor();
    await composer(page).waitFor();
    await axe(page);
    const { page: second } = await chat.blank(look);
    await second.goto(`${chat.url}${chat.link}`);
    await second.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await axe(second);
  },
);

story(
  'a wrong password is refused, the right one opens the chat at the place of the address',
  [
    { size: 'phone', direction: 'rtl' },
    { size: 'desktop', scheme: 'dark' },
  ],
  async (t, look) => {
    const chat = await stage(t);
    const at = `#narrow/channel/${await chat.channel('Verona')}/topic/welcome`;
    const { page } = await chat.blank(look);
    await page.goto(`${chat.url}/${at}`);
    await page.waitForURL(`${chat.url}/login${at}`);
    await axe(page);
    const { email } = chat.account('hamlet');
    await signInWithPassword(page, email, 'not the password');
    await page.getByText('The user name or the password is wrong.').waitFor();
    await untilEqual(() => page.getByLabel('E-mail').first().inputValue(), email);
    await axe(page);
    await signInWithPassword(page, email, PASSWORD);
    await rowsWith(page, 'Welcome to the demo').waitFor();
    await untilEqual(() => page.url(), `${chat.url}/${at}`);
    await page.reload();
    await rowsWith(page, 'Welcome to the demo').waitFor();
  },
);

story(
  'an API key signs in, a wrong one is refused',
  [
    { size: 'desktop', direction: 'rtl' },
    { size: 'phone', scheme: 'dark' },
  ],
  async (t, look) => {
    const chat = await stage(t);
    const { email, api_key } = chat.account('cordelia');
    const { page } = await chat.blank(look);
    await page.goto(chat.url);
    await page.getByText('Log in with an API key', { exact: true }).click();
    const form = page.getByRole('form', { name: 'Log in with an API key' });
    await form.getByLabel('E-mail').fill(email);
    await form.getByLabel('API key').fill('x'.repeat(32));
    await form.getByRole('button').click();
    await page.getByRole('heading', { name: 'That did not work' }).waitFor();
    await axe(page);
    await form.getByLabel('API key').fill(api_key);
    await form.getByRole('button').click();
    await untilLive(page);
    assert.equal(await page.evaluate(() => document.cookie), '', 'scripts cannot read the login');
  },
);

rareStory(
  'an owner raises a user with a code of the second factor',
  [{ size: 'desktop' }, { size: 'phone', scheme: 'dark' }],
  async (t, look) => {
    const chat = await stage(t);
    const { email, api_key } = chat.account('desdemona');
    const owner = chat.chat.as(email);
    const { url } = await owner.secondFactor.begin({ password: PASSWORD });
    const { recovery_codes } = await owner.secondFactor.confirm({ code: codeOf(url, Date.now()) });
    await owner.organization.edit({ second_factor_required_for: 'administrators' });
    const { user_id } = await chat.chat.as(chat.account('hamlet').email).users.me();
    const { page } = await chat.blank(look);
    await page.goto(chat.url);
    await page.getByText('Log in with an API key', { exact: true }).click();
    const form = page.getByRole('form', { name: 'Log in with an API key' });
    await form.getByLabel('E-mail').fill(email);
    await form.getByLabel('API key').fill(api_key);
    await form.getByRole('button').click();
    await untilLive(page);
    await page.goto(`${chat.url}/#organization/people/${user_id}`);
    const role = page.getByLabel('Role', { exact: true });
    const raise = async (code: string) => {
      await role.selectOption({ label: 'Administrator' });
      await page.getByRole('button', { name: 'Change role' }).click();
      const question = page.getByRole('dialog', { name: 'Enter a code of your second factor' });
      await axe(page);
      await question.getByLabel('Code of your authenticator app').fill(code);
      await question.getByRole('button', { name: 'Confirm' }).click();
    };
    await raise('000000x');
    await page.getByText('The code is wrong').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await owner.users.get({ user_id })).user.role, 400);
    await raise(recovery_codes[0] ?? '');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await owner.users.get({ user_id })).user.role, 200);

    await page.goto(`${chat.url}/#people`);
    await page.getByRole('button', { name: 'Invite people' }).first().click();
    const invitation = page.getByRole('dialog', { name: 'Invite people' });
    await invitation.getByLabel('Role').selectOption({ label: 'Administrator' });
    await invitation.getByRole('button', { name: 'Create a link' }).click();
    await invitation.getByLabel('Code of your authenticator app').fill(recovery_codes[1] ?? '');
    await axe(page);
    await invitation.getByRole('button', { name: 'Create a link' }).click();
    await untilMatch(() => invitation.getByLabel('Invitation link').inputValue(), /\/join\//);
  },
);

const HOST_PAGE = (isIn: boolean) => `<!doctype html><html lang="en"><head><title>Host</title>
<meta name="viewport" content="width=device-width"></head><body><main><h1>Host</h1>
${isIn ? '<a href="/chat/">Chat</a>' : '<form method="post" action="/enter"><button>Enter as Hamlet</button></form>'}
</main></body></html>`;

rareStory(
  'the cookie of a host opens the chat below a prefix',
  [{ size: 'desktop' }, { size: 'phone', scheme: 'dark' }],
  async (t, look) => {
    const chat = await stage(t);
    const hamlet = chat.account('hamlet');
    const api = requestListener(chat.chat, {
      prefix: '/chat',
      loginUrl: '/',
      authenticate: ({ headers }) => (/\bhost=hamlet\b/.test(headers.cookie ?? '') ? hamlet.email : undefined),
    });
    const host = createServer((req, res) => {
      if (req.url?.startsWith('/chat')) return api(req, res);
      const isIn = req.headers.cookie?.includes('host=hamlet') ?? false;
      if (req.url === '/enter') {
        return void res.writeHead(303, { location: '/', 'set-cookie': 'host=hamlet; HttpOnly; SameSite=Lax' }).end();
      }
      res.writeHead(200, { 'content-type': 'text/html' }).end(HOST_PAGE(isIn));
    });
    const url = `http://127.0.0.1:${await listening(t, host)}`;
    const { page } = await chat.blank(look);
    await page.goto(`${url}/chat/`);
    await page.waitForURL(`${url}/`);
    await page.getByRole('button', { name: 'Enter as Hamlet' }).click();
    await page.getByRole('link', { name: 'Chat' }).click();
    await untilLive(page);
    await untilEqual(() => page.url(), `${url}/chat/`);
    await page.goto(`${url}/chat/#narrow/channel/${await chat.channel('Verona')}/topic/welcome`);
    await send(page, 'From the host');
    await rowsWith(page, 'From the host').and(page.locator('[data-id]')).waitFor();
    const { messages } = await chat.as('iago').messages.list({ anchor: 'newest', num_before: 1, num_after: 0 });
    assert.equal(messages[0]?.sender_id, hamlet.user_id);
  },
);

rareStory(
  'a browser that blocks cookies says so after the login',
  [{ size: 'phone', scheme: 'dark' }, { size: 'desktop' }],
  async (t, { size, scheme = 'light' }) => {
    if (!existsSync(WITH_PROFILES)) return t.skip(`no browser at ${WITH_PROFILES}`);
    const chat = await stage(t);
    const folder = await mkdtemp(join(tmpdir(), 'profile-'));
    await mkdir(join(folder, 'Default'));
    const preferences = { profile: { default_content_setting_values: { cookies: 2 } } };
    await writeFile(join(folder, 'Default/Preferences'), JSON.stringify(preferences));
    const context = await chromium.launchPersistentContext(folder, {
      ...NO_HANDLERS,
      ...{ executablePath: WITH_PROFILES, args: ['--no-sandbox', '--disable-gpu'] },
      ...{ colorScheme: scheme, viewport: size === 'phone' ? { width: 390, height: 844 } : (DESKTOP.viewport ?? null) },
    });
    t.after(async () => {
      await context.close();
      await rm(folder, { recursive: true, force: true });
    });
    const page = await context.newPage();
    for (const address of [chat.url, `${chat.url}${chat.link}`]) {
      await page.goto(address);
      if (address === chat.url) await signInWithPassword(page, chat.account('hamlet').email, PASSWORD);
      await page.getByText('This browser blocks cookies').waitFor();
      await axe(page);
    }
    // The page still shows it after another attempt.
    await signInWithPassword(page, chat.account('hamlet').email, PASSWORD);
    await page.getByText('This browser blocks cookies').waitFor();
  },
);

story(
  'a user who is signed out elsewhere sees it, signs in again, and finds the text',
  [
    { size: 'desktop', scheme: 'dark' },
    { size: 'phone', direction: 'rtl' },
  ],
  async (t, look) => {
    const chat = await stage(t);
    const at = `#narrow/channel/${await chat.channel('Verona')}/topic/welcome`;
    const { page } = await chat.open('hamlet', { ...look, at });
    await composer(page).fill('A text on its way');
    await chat.as('hamlet').users.regenerateApiKey();
    await page.getByText('You are signed out.').waitFor();
    await axe(page);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signInWithPassword(page, chat.account('hamlet').email, PASSWORD);
    await composer(page).waitFor();
    await untilEqual(() => page.url(), `${chat.url}/${at}`);
    await until('the text is there', async () => (await composer(page).inputValue()) === 'A text on its way');
  },
);
