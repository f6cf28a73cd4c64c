import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { openChat, type Session, sqlite } from '../../../lib/index.ts';
import { requestListener } from '../../../server/index.ts';
import { listening } from '../../server/running.ts';
import { bundle, launched, NO_BROWSER } from '../pages.ts';

const TABS = 12;

/** Starts a store in the page: `window.store`. */
async function startStore(tab: Page, site: string): Promise<void> {
  await tab.goto(`${site}/page/`);
  await tab.evaluate(async (site) => {
    const module = `${site}/page/client.js`;
    const { connect, createChatStore } = await import(module);
    const store = createChatStore(connect({ site }), { shareAs: 'test' });
    Object.assign(window, { store });
    store.start();
  }, site);
}

/** The texts of the newest messages in the store of this page. */
async function textsIn(tab: Page, count: number): Promise<string[]> {
  const handle = await tab.waitForFunction((count) => {
    const page = window as unknown as { store: import('../../../lib/client/store/types.ts').ChatStore; list?: object };
    page.list ??= page.store.open({ view: 'all' }, 'newest');
    const { messages } = (page.list as ReturnType<typeof page.store.open>).state.get();
    const texts = messages.map(({ content }) => content.replace(/<\/?p>/g, '')).filter((text) => /^\d+$/.test(text));
    return texts.length >= count && texts;
  }, count);
  return (await handle.jsonValue()) as string[];
}

async function application(t: TestContext) {
  const chat = await openChat({ storage: sqlite(':memory:') });
  t.after(() => chat.close());
  const ada = await chat.createOrganization({ name: 'Tabs', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const owner = chat.as(ada);
  await owner.channels.create({ name: 'general', subscribers: [ada.user_id] });
  const script = await bundle();
  const requests: string[] = [];
  const listener = requestListener(chat, { authenticate: () => ada.user_id, rateLimits: false });
  const server = createServer((req, res) => {
    if (req.url?.startsWith('/page/')) {
      const isScript = req.url.endsWith('.js');
      res.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      return void res.end(isScript ? script : '<!doctype html><title>tab</title>');
    }
    requests.push(`${req.method} ${req.url?.replace(/\?.*/, '')}`);
    listener(req, res);
  });
  const site = `http://127.0.0.1:${await listening(t, server)}`;
  const { context } = await launched(t);
  return { owner: owner as Session, site, context, requests };
}

describe('stores in the tabs of one browser', { skip: NO_BROWSER }, () => {
  it('share one queue, and another tab takes over without a lost or repeated message', async (t) => {
    const { owner, site, context, requests } = await application(t);
    const send = (content: string) => owner.messages.send({ type: 'channel', to: 'general', topic: 'tabs', content });
    const tabs: Page[] = [];
    for (let count = 0; count < TABS; count++) {
      const tab = await context.newPage();
      await startStore(tab, site);
      tabs.push(tab);
    }
    await send('1');
    for (const tab of tabs) assert.deepEqual(await textsIn(tab, 1), ['1']);
    const [leader, ...others] = tabs as [Page, ...Page[]];
    const closing = leader.close();
    await send('2');
    await closing;
    await send('3');
    for (const tab of others) assert.deepEqual(await textsIn(tab, 3), ['1', '2', '3']);
    assert.equal(requests.filter((request) => request === 'POST /api/v1/register').length, 1);
    await others[3]?.evaluate(() => {
      const page = window as unknown as { store: import('../../../lib/client/store/types.ts').ChatStore };
      const [channelId = 0] = page.store.channels.get().keys();
      page.store.send({ channelId, topic: 'tabs' }, '4');
    });
    for (const tab of others) assert.deepEqual(await textsIn(tab, 4), ['1', '2', '3', '4']);
  });
});
