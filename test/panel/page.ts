/** A page with a panel, and its chat, for tests in a browser. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { type Chat, type ChatOptions, localFiles, openChat, type Session, sqlite } from '../../lib/index.ts';
import { requestListener } from '../../server/index.ts';
import { webFiles } from '../../server/pages/web/build.ts';
import { launched, watched } from '../client/pages.ts';
import { until } from '../support/until.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The content security policy of the page. */
export const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:",
  "media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "require-trusted-types-for 'script'; trusted-types parlance",
].join('; ');

const DESKTOP = { width: 1000, height: 700 };

export interface PanelSite {
  chat: Chat;
  owner: Session;
  /** User IDs. Ada owns the organization. */
  people: { ada: number; ben: number; cleo: number };
  channelId: number;
  url: string;
  browser: Browser;
  /** Stops the server, and starts it again at the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Runs before each request to the chat. Returns true if it has responded itself. */
  intercept(before: ((req: IncomingMessage, res: ServerResponse) => boolean) | undefined): void;
  /** Lets the chat respond to a held request. */
  handle(req: IncomingMessage, res: ServerResponse): void;
  as(login: 'ada' | 'ben' | 'cleo'): Session;
  /**
   * Opens a page with this panel for a user. Its violations and errors are collected, and there must be none at the
   * end.
   */
  open(login: string, panel: string, options?: BrowserContextOptions): Promise<Opened>;
}

export interface Opened {
  page: Page;
  context: BrowserContext;
  complaints: string[];
}

const PAGE = (panel: string) => `<!doctype html><html lang="en"><head><title>Page</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/page.css"><script type="module" src="/panel.js"></script></head>
<body>${panel.includes('view="app"') ? panel : `<main>${panel}</main>`}</body></html>`;

const STYLE = 'body { margin: 0 } main { block-size: 100dvh } .half { block-size: 50dvh }';

/** A chat at `/chat` of a host that identifies its users by a cookie. */
export async function panelSite(t: TestContext, options: Pick<ChatOptions, 'mail'> = {}): Promise<PanelSite> {
  const files: Record<string, [type: string, text: string | Buffer]> = { '/page.css': ['text/css', STYLE] };
  for (const [name, bytes] of await webFiles()) files[`/${name}`] = ['text/javascript', bytes];
  let before: ((req: IncomingMessage, res: ServerResponse) => boolean) | undefined;
  let api: RequestListener | undefined;
  /** By path: the first page is `/0`. */
  const panels: string[] = [];
  const listener: RequestListener = (req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://page');
    if (/^\/chat(\/|$)/.test(pathname)) return before?.(req, res) ? undefined : api?.(req, res);
    const [type, text] = files[pathname] ?? ['text/html; charset=utf-8', PAGE(panels[Number(pathname.slice(1))] ?? '')];
    res.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY }).end(text);
  };
  let server: Server | undefined;
  let port = 0;
  const start = async () => {
    const started = createServer({ maxHeaderSize: 131_072 }, listener);
    server = started;
    await new Promise<void>((resolve) => started.listen(port, '127.0.0.1', resolve));
    port = (started.address() as { port: number }).port;
  };
  const stop = async () => {
    const stopped = server;
    server = undefined;
    if (!stopped) return;
    const closed = new Promise((resolve) => stopped.close(resolve));
    stopped.closeAllConnections();
    await closed;
  };
  const { context: first } = await launched(t);
  const browser = first.browser() as Browser;
  const folder = await mkdtemp(join(tmpdir(), 'parlance-files-'));
  let opened: Chat | undefined;
  t.after(async () => {
    await stop();
    await opened?.close();
    await rm(folder, { recursive: true, force: true });
  });
  await start();
  const chat = await openChat({
    ...options,
    storage: sqlite(':memory:'),
    files: localFiles(folder),
    baseUrl: `http://127.0.0.1:${port}/chat`,
  });
  opened = chat;
  const ada = await chat.createOrganization({ name: 'Harbour', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const owner = chat.as(ada.user_id);
  // Its messages would be unread.
  await owner.organization.edit({ send_channel_events_messages: false });
  const made = await owner.users.createMany({
    people: [
      { email: 'ben@example.com', full_name: 'Ben' },
      { email: 'cleo@example.com', full_name: 'Cleo Montgomery' },
    ],
  });
  const [ben, cleo] = made.people.map(({ user_id }) => user_id);
  assert.ok(ben && cleo);
  const people = { ada: ada.user_id, ben, cleo };
  const { id: channelId } = await owner.channels.create({ name: 'general', subscribers: Object.values(people) });
  chat.start();

  api = requestListener(chat, {
    prefix: '/chat',
    rateLimits: false,
    authenticate: ({ headers }) => people[/\blogin=(ada|ben|cleo)\b/.exec(headers.cookie ?? '')?.[1] as 'ada'],
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    ...{ chat, owner, people, channelId, url, browser, start, stop },
    intercept: (given) => {
      before = given;
    },
    handle: (req, res) => api?.(req, res),
    as: (login) => chat.as(people[login]),
    open: async (login, given, options = {}) => {
      const path = panels.push(given) - 1;
      const context = await browser.newContext({ viewport: DESKTOP, ...options });
      await context.addCookies([{ name: 'login', value: login, url }]);
      const { page, complaints } = await watched(context);
      await page.goto(`${url}/${path}`);
      return { page, context, complaints };
    },
  };
}

/**
 * Waits until the page has read an answer from such an address, and has had time to show it. A browser does not report
 * each answer that a page has read as finished, but lists it as a resource.
 */
export async function untilAnswered(page: Page, address: RegExp): Promise<void> {
  await until(`the page has an answer from ${address}`, async () => {
    const addresses = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    return addresses.some((one) => address.test(one));
  });
  await page.waitForTimeout(200);
}

const TASKS = 'disabled-by-default-devtools.timeline';

interface TraceEvent {
  name: string;
  /** Microseconds of processor time. */
  tdur?: number;
}

/** The longest task of the page during `run`, in milliseconds of processor time: other programs make none longer. */
export async function longestTaskMs(page: Page, run: () => Promise<void>): Promise<number> {
  const browser = page.context().browser() as Browser;
  await browser.startTracing(page, { categories: [TASKS] });
  await run().catch(async (error) => {
    await browser.stopTracing();
    throw error;
  });
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
  const tasks = traceEvents.filter(({ name, tdur }) => name === 'RunTask' && tdur !== undefined);
  assert.ok(tasks.length > 0, 'the browser reports its tasks');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000));
}

/** Findings of axe, one line each. */
export async function axeFindings(page: Page): Promise<string[]> {
  // A page keeps it until it is loaded again.
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  // `evaluate` bypasses the policy of the page, which forbids other scripts.
  if (!isThere) await page.evaluate(await readFile(AXE, 'utf8'));
  return page.evaluate(async () => {
    interface Axe {
      run(on: Document, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
    }
    const { axe } = globalThis as unknown as { axe: Axe };
    const { violations } = await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      // Each link of the app has a fragment, so the rule takes those outside the window for links that skip the navigation.
      rules: { 'skip-link': { enabled: false } },
      // A selector for each element that passes takes as long as the rules.
      ...{ resultTypes: ['violations'], selectors: false },
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  });
}
