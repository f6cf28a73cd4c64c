/** Stories of one browser in which another account logs in while tabs are open. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { BrowserContext, Page } from 'playwright-core';
import { listening } from '../../server/running.ts';
import { until, untilEqual } from '../../support/until.ts';
import { untilLive } from '../app/app.ts';
import {
  banner,
  composer,
  type InProcess,
  type Login,
  type Look,
  rareStory,
  rowsWith,
  type Stage,
  send,
  stage,
  story,
} from './stage.ts';

const DESKTOP: Look = { size: 'desktop' };

/** A login of this account, in no browser. */
async function cookieOf(chat: Stage, login: Login): Promise<{ name: string; value: string; url: string }> {
  const body = new URLSearchParams({ demo: String(chat.account(login).user_id) });
  const answer = await fetch(`${chat.url}/login`, { method: 'POST', redirect: 'manual', body });
  const [, name = '', value = ''] = /^(\w+)=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
  return { name, value, url: chat.url };
}

/** The cookie changes. The previous login stays valid, as with a login of the host. */
const become = async (chat: Stage, context: BrowserContext, login: Login) =>
  context.addCookies([await cookieOf(chat, login)]);

/** A user logs in at the login page, which ends the previous login. */
async function logInOnTop(chat: Stage, context: BrowserContext, login: Login): Promise<void> {
  const form = { demo: String(chat.account(login).user_id) };
  await context.request.post(`${chat.url}/login`, { form });
}

/** The user focuses the window. */
const focus = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event('focus')));

const untilIs = (page: Page, chat: Stage, login: Login) =>
  page.waitForFunction(
    (id) => document.querySelector('parlance-panel')?.store?.me.get()?.user_id === id,
    chat.account(login).user_id,
  );

/** The account that a tab shows. A hidden tab may already know of the new login: it polls every 30 seconds. */
async function loginOf(page: Page, chat: Stage, logins: readonly Login[]): Promise<Login> {
  const id = await page.waitForFunction(() => document.querySelector('parlance-panel')?.store?.me.get()?.user_id);
  const shown = await id.jsonValue();
  const login = logins.find((one) => chat.account(one).user_id === shown);
  assert.ok(login, `the tab shows user ${shown}`);
  return login;
}

const changed = (page: Page, chat: Stage, login: Login) =>
  banner(page).filter({ hasText: `You are now signed in as ${chat.account(login).full_name}.` });

/** The whole panel, as text. */
const textOf = (page: Page) =>
  page.evaluate(() => document.querySelector('parlance-panel')?.shadowRoot?.textContent ?? '');

/** Names and texts in the storage of the browser. */
const stored = (page: Page) => page.evaluate(() => JSON.stringify(Object.entries(localStorage)));

const draftsOf = async (chat: InProcess, login: Login) =>
  (await chat.as(login).drafts.list()).drafts.map(({ content }) => content);

const sendersOf = async (chat: InProcess, content: string) => {
  const { messages } = await chat.as('iago').messages.list({ anchor: 'newest', num_before: 50, num_after: 0 });
  return messages.filter((message) => message.content.includes(content)).map(({ sender_id }) => sender_id);
};

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

for (const [play, order] of [
  [story, ['desdemona', 'othello', 'hamlet']],
  [rareStory, ['hamlet', 'desdemona', 'othello']],
  [rareStory, ['othello', 'hamlet', 'desdemona']],
] as const)
  play(
    `a tab shows only what its own account may see, whatever other tabs have: ${order.join(', ')}`,
    [DESKTOP],
    async (t, look) => {
      const chat = await stage(t);
      for (const login of order)
        await chat.as(login).channels.create({
          ...{ name: `only ${login}`, subscribers: [chat.account(login).user_id], invite_only: true },
        });
      const shows = async (page: Page, own: Login) => {
        await untilIs(page, chat, own);
        await page.getByText(`only ${own}`).first().waitFor();
        // The channels of the account before leave with the next rendering.
        const seen = async () => {
          const text = await textOf(page);
          return order.filter((login) => text.includes(`only ${login}`));
        };
        await untilEqual(seen, [own], `in ${own}`);
      };
      const { page: first, context } = await chat.open(order[0], look);
      const tabs = [first];
      for (const [at, login] of order.entries()) {
        if (at === 0) continue;
        await become(chat, context, login);
        const { page } = await chat.open(login, { ...look, beside: context });
        await shows(page, login);
        tabs.push(page);
      }
      await shows(first, await loginOf(first, chat, order));
      const [, , last] = order;
      for (const page of tabs) {
        await focus(page);
        await shows(page, last);
      }
      await changed(first, chat, last).waitFor();
      for (const page of tabs) {
        await page.reload();
        await shows(page, last);
      }
    },
  );

story('no message is sent and no text is kept as another account than the tab shows', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const at = `#narrow/channel/${await chat.channel('Verona')}/topic/harbour`;
  const { page, context } = await chat.open('othello', { ...look, at });
  const othello = chat.account('othello').user_id;
  // The message is the first request of the other login. After another one, it would be sent at the next login.
  const others = /\/api\/v1\/(drafts|typing)/;
  await page.route(others, () => undefined);
  await composer(page).fill('Handkerchief');
  await become(chat, context, 'desdemona');
  await page.getByRole('button', { name: /^Send/ }).click();
  await changed(page, chat, 'desdemona').waitFor();
  await page.unroute(others);
  await untilEqual(() => new URL(page.url()).hash, '#inbox');
  assert.deepEqual(await sendersOf(chat, 'Handkerchief'), []);
  await untilLive(page);
  await page.goto(`${chat.url}/${at}`);
  await composer(page).waitFor();
  await untilEqual(() => composer(page).inputValue(), '');

  // Text that was not sent.
  await become(chat, context, 'othello');
  await focus(page);
  await untilIs(page, chat, 'othello');
  await page.goto(`${chat.url}/${at}`);
  await rowsWith(page, 'Handkerchief').getByRole('button', { name: 'Retry' }).waitFor();
  await composer(page).fill('Unfinished');
  await become(chat, context, 'desdemona');
  await pause(2_500);
  await changed(page, chat, 'desdemona').waitFor();
  assert.deepEqual(await draftsOf(chat, 'desdemona'), []);
  const kept = await stored(page);
  for (const text of ['Unfinished', 'Handkerchief']) assert.ok(kept.includes(text), text);
  assert.ok(!kept.includes(` ${chat.account('desdemona').user_id} `));
  await page.goto(`${chat.url}/${at}`);
  await composer(page).waitFor();
  await untilEqual(() => composer(page).inputValue(), '');
  await become(chat, context, 'othello');
  await page.reload();
  await untilIs(page, chat, 'othello');
  await composer(page).waitFor();
  await until('the text is back', async () => (await composer(page).inputValue()) === 'Unfinished');
  await rowsWith(page, 'Handkerchief').getByRole('button', { name: 'Retry' }).click();
  await rowsWith(page, 'Handkerchief').and(page.locator('[data-id]')).waitFor();
  assert.deepEqual(await sendersOf(chat, 'Handkerchief'), [othello]);
});

rareStory('a login at the login page, and one by a link, reach open tabs at once', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const { page, context } = await chat.open('othello', look);
  await logInOnTop(chat, context, 'hamlet');
  await changed(page, chat, 'hamlet').waitFor();
  const { page: other } = await chat.open('hamlet', { ...look, beside: context });
  await other.goto(`${chat.url}${chat.link}`);
  await untilLive(other);
  await changed(page, chat, 'desdemona').waitFor();
  await untilIs(other, chat, 'desdemona');
});

for (const [play, next] of [
  [story, 'desdemona'],
  [rareStory, 'othello'],
] as const)
  play(
    `after a logout and a login as ${next} in one tab, another tab goes on, and a reload works`,
    [DESKTOP],
    async (t, look) => {
      const chat = await stage(t);
      const { page, context } = await chat.open('othello', { ...look, at: '#settings' });
      const { page: other } = await chat.open('othello', { ...look, beside: context });
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL(`${chat.url}/login`);
      await other.getByText('You are signed out.').waitFor();
      const { full_name, role } = chat.account(next);
      await page.getByRole('button', { name: `${full_name} ${role}`, exact: true }).click();
      await untilLive(page);
      await focus(other);
      await untilIs(other, chat, next);
      await untilLive(other);
      if (next !== 'othello') await changed(other, chat, next).waitFor();
      await chat.say('iago', { channel: 'Verona', topic: 'harbour' }, 'After the login');
      await other.goto(`${chat.url}/#narrow/channel/${await chat.channel('Verona')}/topic/harbour`);
      await rowsWith(other, 'After the login').waitFor();
      await other.reload();
      await rowsWith(other, 'After the login').waitFor();
    },
  );

story(
  'after a logout the browser has no text: drafts and unsent messages are on the server',
  [DESKTOP],
  async (t, look) => {
    const beforeSend = ({ content }: { content: string }) => (content === 'Not sent' ? { refuse: 'No.' } : undefined);
    const chat = await stage(t, { chat: { hooks: { beforeSend } } });
    const place = `#narrow/channel/${await chat.channel('Verona')}/topic`;
    const { page, context } = await chat.open('othello', { ...look, at: `${place}/lost` });
    await send(page, 'Not sent');
    await page.getByRole('button', { name: 'Discard' }).waitFor();
    await page.goto(`${chat.url}/${place}/harbour`);
    await composer(page).fill('Typed a moment ago');
    await page.evaluate(() => {
      location.hash = '#settings';
    });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${chat.url}/login`);
    assert.equal(await stored(page), '[]');
    assert.deepEqual((await draftsOf(chat, 'othello')).sort(), ['Not sent', 'Typed a moment ago']);
    await context.close();
  },
);

rareStory('when a login merely ends, the text of the account stays for its next login', [DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const at = `#narrow/channel/${await chat.channel('Verona')}/topic/harbour`;
  const { page, context } = await chat.open('othello', { ...look, at });
  await composer(page).fill('Half a thou');
  await chat.chat.tokens.revoke({ user: chat.account('othello').user_id });
  await page.getByText('You are signed out.').waitFor();
  assert.match(await stored(page), /Half a thou/);
  await become(chat, context, 'othello');
  await focus(page);
  await untilLive(page);
  await until('the text is back', async () => (await composer(page).inputValue()) === 'Half a thou');
});

rareStory(
  'two panels of a page have the accounts of their tokens; a token of another account starts one anew',
  [DESKTOP],
  async (t, look) => {
    const chat = await stage(t);
    const host = createServer((_, res) => {
      res.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><html lang="en"><title>Host</title>
<script>globalThis.tokens = ['', ''];</script>
<parlance-panel id="a" site="${chat.url}" view="inbox"></parlance-panel>
<parlance-panel id="b" site="${chat.url}" view="inbox"></parlance-panel>
<script>for (const [at, id] of ['a', 'b'].entries())
  document.getElementById(id).token = async () => (await fetch('/token?' + at)).text();</script>
<script type="module" src="${chat.url}/static/panel.js"></script>`);
    });
    const tokens: [string, string] = ['', ''];
    const server = createServer((req, res) => {
      if (req.url?.startsWith('/token')) return void res.end(tokens[Number(req.url.at(-1)) as 0]);
      host.emit('request', req, res);
    });
    const url = `http://localhost:${await listening(t, server)}`;
    const tokenOf = async (login: Login) =>
      (await chat.chat.tokens.create({ user: chat.account(login).user_id, ttlSeconds: 60 })).token;
    tokens[0] = await tokenOf('othello');
    tokens[1] = await tokenOf('hamlet');
    const { page } = await chat.blank(look);
    await page.goto(url);
    const is = (id: string, login: Login) =>
      page.waitForFunction(
        ([id, user]) =>
          document.querySelector<HTMLElementTagNameMap['parlance-panel']>(`#${id}`)?.store?.me.get()?.user_id === user,
        [id, chat.account(login).user_id] as const,
      );
    await is('a', 'othello');
    await is('b', 'hamlet');
    tokens[0] = await tokenOf('desdemona');
    await chat.chat.tokens.revoke({ user: chat.account('othello').user_id });
    await is('a', 'desdemona');
    await changed(page, chat, 'desdemona').waitFor();
    await is('b', 'hamlet');
    await untilEqual(() => banner(page).count(), 1);
  },
);
