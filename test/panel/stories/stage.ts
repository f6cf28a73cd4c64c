/**
 * Shared by the stories: a real server with the demo organization, and pages of its web app for users who logged in at
 * its login page. An error on a page fails the story at its end.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import {
  type Chat,
  type ChatOptions,
  connect,
  localFiles,
  openChat,
  type Session,
  sqlite,
} from '../../../lib/index.ts';
import { type Demo, type DemoAccount, seedDemo } from '../../../lib/internal.ts';
import { type ServeOptions, serve } from '../../../server/index.ts';
import { launched, NO_BROWSER } from '../../client/pages.ts';
import { compile } from '../../support/compile.ts';
import { DESKTOP, PHONE, untilLive } from '../app/app.ts';
import { axeFindings } from '../page.ts';

const CHATCTL = fileURLToPath(new URL('../../../cli/chatctl.ts', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../.cache', import.meta.url));

/** Accounts of the demo, by the part of their e-mail address before the @. */
export type Login = 'desdemona' | 'iago' | 'shiva' | 'hamlet' | 'cordelia' | 'othello' | 'zoe' | 'aaron' | 'polonius';

export interface Look {
  size: 'desktop' | 'phone';
  scheme?: 'light' | 'dark';
  direction?: 'ltr' | 'rtl';
  /** Hours by which the clock of the browser is ahead. */
  ahead?: number;
}

export interface OpenOptions extends Look {
  /** A fragment such as `#inbox`. */
  at?: string;
  /** Another tab of this browser, which is already logged in. */
  beside?: BrowserContext;
}

export interface Seat {
  page: Page;
  context: BrowserContext;
}

export interface Stage {
  /** Address of the web app, without a slash at the end. */
  url: string;
  /** The path of the link that logs in once. */
  link: string;
  browser: Browser;
  account(login: Login): DemoAccount;
  /** A session of a demo account, for the actions of other users and clients. */
  as(login: Login): Session;
  channel(name: string): Promise<number>;
  /** Sends a message to a topic of a channel. Returns its ID. */
  say(login: Login, place: { channel: string; topic: string }, content: string): Promise<number>;
  /** An empty page. Its errors count. */
  blank(look: Look, options?: BrowserContextOptions): Promise<Seat>;
  /** The app of a demo account, logged in at the login page, with the current state. */
  open(login: Login, options: OpenOptions): Promise<Seat>;
  /** Errors that pages have reported. A story may remove expected ones. */
  complaints: string[];
}

export interface InProcess extends Stage {
  chat: Chat;
  server: Server;
  /**
   * Cuts the connections of a browser until the returned function restores them. `setOffline` alone leaves open
   * streams.
   */
  cut(context: BrowserContext): Promise<void>;
}

export interface InChild extends Stage {
  /** Kills the server. */
  kill(): Promise<void>;
  /** Starts it again with the same database, at the same port. */
  restart(): Promise<void>;
}

/** Errors that the pages of a story have reported. */
const complaintsOf = new WeakMap<TestContext, string[]>();

/** What only `looks.browser.nightly.test.ts` plays. */
const nightly: (() => void)[] = [];

type Play = (t: TestContext, look: Look) => Promise<void>;

/** Runs a story in its first look. `looks.browser.nightly.test.ts` runs it in the others. */
export function story(name: string, [first, ...others]: readonly Look[], play: Play): void {
  if (first) playIn(first, name, play);
  rareStory(name, others, play);
}

/**
 * Only `looks.browser.nightly.test.ts` runs it: a rare event, a large number, or a second way to what another story
 * shows.
 */
export function rareStory(name: string, looks: readonly Look[], play: Play): void {
  nightly.push(...looks.map((look) => () => playIn(look, name, play)));
}

/** Also runs the rare stories of this process, and the others in their other looks. */
export function playNightly(): void {
  for (const playLook of nightly.splice(0)) playLook();
}

function playIn(look: Look, name: string, play: Play): void {
  const { size, scheme = 'light', direction = 'ltr', ahead } = look;
  const clock = ahead === undefined ? '' : `, ${ahead} h ahead`;
  void test(`${name} (${size}, ${scheme}, ${direction}${clock})`, { skip: NO_BROWSER }, async (t) => {
    try {
      await play(t, look);
    } catch (error) {
      for (const complaint of complaintsOf.get(t) ?? []) t.diagnostic(complaint);
      throw error;
    }
    // Not in a hook: after one that throws, no other runs, and a server stays open.
    assert.deepEqual(complaintsOf.get(t) ?? [], [], 'errors of pages');
  });
}

/** The server is in this process. */
export async function stage(
  t: TestContext,
  { chat: chatOptions = {}, server: serveOptions = {} }: { chat?: Partial<ChatOptions>; server?: ServeOptions } = {},
): Promise<InProcess> {
  const { browser } = await browsing(t);
  const folder = await mkdtemp(join(tmpdir(), 'stories-'));
  const chat = await openChat({ storage: sqlite(':memory:'), files: localFiles(folder), ...chatOptions });
  let stop: () => Promise<unknown> = async () => undefined;
  t.after(async () => {
    await stop();
    await chat.close();
    await rm(folder, { recursive: true, force: true });
  });
  const demo = await seedDemo(chat);
  chat.start();
  const { url, server, close } = await serve(chat, { port: 0, demoAccounts: demo.accounts, ...serveOptions });
  stop = close;
  const base = stageAt(t, { url, browser, demo, link: server.makeDemoLink() ?? '' });
  return Object.assign(base, {
    chat,
    server,
    as: (login: Login) => chat.as(base.account(login).user_id),
    cut: async (context: BrowserContext) => {
      await context.setOffline(true);
      server.closeAllConnections();
    },
  });
}

/** The server is a separate process, which a story can kill. */
export async function stageInChild(t: TestContext): Promise<InChild> {
  const { browser } = await browsing(t);
  const folder = await mkdtemp(join(CACHE, 'stories-'));
  const db = join(folder, 'demo.db');
  let child: ChildProcess | undefined;
  const kill = async () => {
    const killed = child;
    child = undefined;
    if (!killed || killed.exitCode !== null || killed.signalCode !== null) return;
    killed.kill('SIGKILL');
    await once(killed, 'exit');
  };
  t.after(async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  });
  await compile([CHATCTL], folder);
  const start = async (port: string): Promise<Demo & { url: string; login_link: string }> => {
    // tsx builds the panel.
    const program = ['--import', 'tsx', join(folder, 'chatctl.mjs')];
    const args = [...program, 'serve', '--db', db, '--demo', '--port', port, '--json'];
    const started = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
    });
    child = started;
    const printed = once(createInterface({ input: started.stdout }), 'line', { signal: AbortSignal.timeout(120_000) });
    const ended = once(started, 'exit').then(() => assert.fail('The server ended before it listened.'));
    ended.catch(() => undefined);
    const [line] = (await Promise.race([printed, ended])) as [string];
    return JSON.parse(line) as Demo & { url: string; login_link: string };
  };
  const { url, login_link, ...demo } = await start('0');
  const base = stageAt(t, { url, browser, demo, link: new URL(login_link).pathname });
  return Object.assign(base, {
    kill,
    restart: async () => {
      await start(new URL(url).port);
    },
  });
}

async function browsing(t: TestContext): Promise<{ browser: Browser }> {
  const { context } = await launched(t);
  const browser = context.browser() as Browser;
  await context.close();
  return { browser };
}

interface Given {
  url: string;
  browser: Browser;
  demo: Demo;
  link: string;
}

function stageAt(t: TestContext, { url, browser, demo, link }: Given): Stage {
  const complaints: string[] = [];
  complaintsOf.set(t, complaints);
  const sessions = new Map<Login, ReturnType<typeof connect>>();
  t.after(() => Promise.all([...sessions.values()].map((session) => session.close().catch(() => undefined))));
  const watched = async (context: BrowserContext): Promise<Page> => {
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(`${error.stack}`));
    page.on('console', (message) => {
      // The browser reports each response above 399 and each failed connection.
      if (message.type() === 'error' && !/Failed to load resource|net::/.test(message.text()))
        complaints.push(message.text());
    });
    return page;
  };
  const self: Stage = {
    ...{ url, link, browser, complaints },
    account: (login) => {
      const found = demo.accounts.find(({ email }) => email.toLowerCase() === `${login}@zulip.com`);
      assert.ok(found);
      return found;
    },
    as: (login) => {
      const known = sessions.get(login);
      if (known) return known;
      const { email, api_key } = self.account(login);
      const session = connect({ site: url, email, api_key });
      sessions.set(login, session);
      return session;
    },
    channel: async (name) => {
      const { streams } = await self.as('desdemona').channels.list();
      const found = streams.find((channel) => channel.name === name);
      assert.ok(found);
      return found.stream_id;
    },
    say: async (login, { channel, topic }, content) => {
      const { id } = await self.as(login).messages.send({ type: 'channel', to: channel, topic, content });
      return id;
    },
    blank: async ({ size, scheme = 'light', direction = 'ltr', ahead = 0 }, options = {}) => {
      const screen = size === 'phone' ? PHONE : DESKTOP;
      const context = await browser.newContext({ ...screen, colorScheme: scheme, ...options });
      context.setDefaultTimeout(60_000);
      // tsx names functions by a helper that the page does not have.
      await context.addInitScript('globalThis.__name = (named) => named');
      await context.addInitScript((dir) => {
        document.addEventListener('readystatechange', () => {
          document.documentElement.dir = dir;
        });
        document.addEventListener('securitypolicyviolation', ({ violatedDirective, sample, blockedURI }) =>
          console.error(`violation of ${violatedDirective}: ${blockedURI} ${sample}`),
        );
      }, direction);
      if (ahead !== 0) await setClock(context, ahead * 3_600_000);
      return { page: await watched(context), context };
    },
    open: async (login, { at = '', beside, ...look }) => {
      const { page, context } = beside ? { page: await watched(beside), context: beside } : await self.blank(look);
      if (!beside) await logIn(context, url, self.account(login));
      await page.goto(`${url}/${at}`);
      await page.locator('parlance-panel .sidebar').waitFor({ state: 'attached' });
      await untilLive(page);
      return { page, context };
    },
  };
  return self;
}

const setClock = (context: BrowserContext, ahead: number) =>
  context.addInitScript((wrong) => {
    const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...given: []) {
        if (given.length === 0) super(Real.now() + wrong);
        else super(...given);
      }
      static override now() {
        return Real.now() + wrong;
      }
    } as DateConstructor;
  }, ahead);

/** Sends the form of the demo, without its page. */
async function logIn(context: BrowserContext, url: string, { user_id }: DemoAccount): Promise<void> {
  const response = await context.request.post(`${url}/login`, { form: { demo: user_id }, maxRedirects: 0 });
  assert.equal(response.status(), 303);
}

/** With the password form. */
export async function signInWithPassword(page: Page, email: string, password: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Log in with your password' });
  await form.getByLabel('E-mail').fill(email);
  await form.getByLabel('Password').fill(password);
  await form.getByRole('button', { name: 'Log in' }).click();
}

/** Fails if axe finds a fault on the current page. */
export async function axe(page: Page): Promise<void> {
  assert.deepEqual(await axeFindings(page), [], `axe at ${page.url()}`);
}

/** The field of the composer. */
export const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });

/** Rows with this text, of messages and of pending sends. */
export const rowsWith = (page: Page, text: string | RegExp) =>
  page.getByRole('feed').getByRole('article').filter({ hasText: text });

/** The line that shows the state of the connection. */
export const banner = (page: Page) => page.locator('.banner');

/** The region that screen readers announce. */
export const announced = (page: Page) => page.locator('parlance-panel [role="status"]');

/** Types a text into the composer and sends it with the button. */
export async function send(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await page.getByRole('button', { name: /^Send/ }).click();
}
