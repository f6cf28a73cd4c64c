import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { openChat, type Session, sqlite } from '../../../lib/index.ts';
import { requestListener } from '../../../server/index.ts';
import { listening } from '../../server/running.ts';
import { until } from '../../support/until.ts';
import { bundle, launched, NO_BROWSER } from '../pages.ts';

const TABS = 12;

/** Starts a store in the page: `window.store`. */
async function startStore(tab: Page, site: string): Promise<void> {
  await tab.goto(`${site}/page/`);
  await tab.evaluate(async (site) => {
    const module = `${site}/page/client.js`;
    const { connect, createChatStore } = await import(module);
    const store = createChatStore(connect({ site }));
    Object.assign(window, { store });
    store.start();
  }, site);
}

/** The texts of the newest messages in the store of this page. */
async function textsIn(tab: Page, count: number): Promise<string[]> {
  const handle = await tab.waitForFunction((count) => {
    const page = window as unknown as { store: import('../../../lib/client/store/types.ts').ChatStore; list?: object };
    page.list ??= page.store.messages.open({ view: 'all' }, 'newest');
    const { messages } = (page.list as ReturnType<typeof page.store.messages.open>).state.get();
    const texts = messages.map(({ content }) => content.replace(/<\/?p>/g, '')).filter((text) => /^\d+$/.test(text));
    return texts.length >= count && texts;
  }, count);
  return (await handle.jsonValue()) as string[];
}

/** The visibility state that the browser reports. All tabs of a headless browser are visible. */
const VISIBILITY = `let state = 'visible';
  Object.defineProperty(document, 'visibilityState', { get: () => state });
  globalThis.show = (next) => { state = next; document.dispatchEvent(new Event('visibilitychange')); };`;

const show = (tab: Page, state: 'visible' | 'hidden') =>
  tab.evaluate((state) => (globalThis as unknown as { show(state: string): void }).show(state), state);

async function application(t: TestContext) {
  const chat = await openChat({ storage: sqlite(':memory:') });
  t.after(() => chat.close());
  const ada = await chat.createOrganization({ name: 'Tabs', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const owner = chat.as(ada);
  await owner.channels.create({ name: 'general', subscribers: [ada.user_id] });
  const script = await bundle();
  const streams = new Set<IncomingMessage>();
  const listener = requestListener(chat, { authenticate: () => ada.user_id, rateLimits: false });
  const server = createServer((req, res) => {
    if (req.url?.startsWith('/page/')) {
      const isScript = req.url.endsWith('.js');
      res.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      return void res.end(isScript ? script : '<!doctype html><title>tab</title>');
    }
    if (req.url?.startsWith('/api/v1/events/stream')) {
      streams.add(req);
      res.on('close', () => streams.delete(req));
    }
    listener(req, res);
  });
  const site = `http://127.0.0.1:${await listening(t, server)}`;
  const { context } = await launched(t);
  await context.addInitScript(VISIBILITY);
  return { owner: owner as Session, site, context, streams };
}

describe('stores in the tabs of one browser', { skip: NO_BROWSER }, () => {
  it('hold two connections: of the visible tab and of one hidden tab; another tab takes over when it closes', async (t) => {
    const { owner, site, context, streams } = await application(t);
    const send = (content: string) => owner.messages.send({ type: 'channel', to: 'general', topic: 'tabs', content });
    const tabs: Page[] = [];
    for (let count = 0; count < TABS; count++) {
      const before = tabs.at(-1);
      if (before) await show(before, 'hidden');
      const tab = await context.newPage();
      await startStore(tab, site);
      tabs.push(tab);
    }
    const [first, ...others] = tabs as [Page, ...Page[]];
    const last = others.at(-1) as Page;
    await until('two tabs stream', () => streams.size === 2);
    await send('1');
    for (const tab of [first, last]) assert.deepEqual(await textsIn(tab, 1), ['1']);
    await first.close();
    await until('another hidden tab streams', () => streams.size === 2);
    await send('2');
    assert.deepEqual(await textsIn(last, 2), ['1', '2']);
    await show(last, 'hidden');
    for (const tab of others) {
      await show(tab, 'visible');
      assert.deepEqual(await textsIn(tab, 2), ['1', '2']);
      await show(tab, 'hidden');
    }
    await until('one hidden tab streams', () => streams.size === 1);
  });

  it('stream while they are visible, also without locks in the browser', async (t) => {
    const { owner, site, context, streams } = await application(t);
    await context.addInitScript(`Object.defineProperty(navigator, 'locks', { value: undefined })`);
    const tab = await context.newPage();
    await startStore(tab, site);
    await until('it streams', () => streams.size === 1);
    await show(tab, 'hidden');
    await until('it polls', () => streams.size === 0);
    await owner.messages.send({ type: 'channel', to: 'general', topic: 'tabs', content: '1' });
    await show(tab, 'visible');
    assert.deepEqual(await textsIn(tab, 1), ['1']);
    await until('it streams again', () => streams.size === 1);
  });
});
