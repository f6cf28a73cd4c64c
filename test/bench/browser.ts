import { join } from 'node:path';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { ChatStore, Session } from '../../lib/client/client.ts';
import { buildWeb } from '../../server/pages/web/build.ts';
import { launch } from '../client/pages.ts';
import type { Child } from './child.ts';
import type { Kit } from './kit.ts';
import { BEGUN, ENDED } from './main-thread.ts';

/** Shared by the benchmarks of the panel: a chat with its web app, and a logged-in browser. */

export interface PanelChat {
  server: Child;
  browser: Browser;
  url: string;
  /** The address of the conversation. */
  conversation: string;
  channel: number;
  topic: string;
  /** A browser profile with an empty cache, logged in as the reader. */
  newContext(): Promise<BrowserContext>;
  close(): Promise<void>;
}

interface PanelPopulation {
  people?: number;
  channels?: readonly number[];
  messages: number;
  otherMessages?: number;
}

const VIEWPORT = { width: 1280, height: 800 };

export async function panelChat(kit: Kit, given: PanelPopulation): Promise<PanelChat> {
  await buildWeb(join(kit.folder, 'dist'));
  const server = kit.start('panel-chat');
  const { people = 20, channels = [20], ...messages } = given;
  const started = await server.ask<Started>('start', { database: kit.newDatabase(), people, channels, ...messages });
  const { url, fragment, channel, topic, email, key } = started;
  const browser = await launch(['--enable-precise-memory-info']);
  return {
    ...{ server, browser, url, channel, topic },
    conversation: `${url}/${fragment}`,
    async newContext() {
      // The page's policy forbids the scripts that measure.
      const context = await browser.newContext({ viewport: VIEWPORT, bypassCSP: true });
      await context.addInitScript(PREPARED);
      await context.request.post(`${url}/login`, { form: { key_email: email, api_key: key } });
      return context;
    },
    close: () => browser.close(),
  };
}

interface Started {
  url: string;
  fragment: string;
  channel: number;
  topic: string;
  email: string;
  key: string;
}

/** Runs before the scripts of each page. tsx names functions by a helper that the page does not have. */
const PREPARED = `
performance.mark('${BEGUN}');
globalThis.__name = (named) => named;
globalThis.panel = () => document.querySelector('parlance-panel');
globalThis.inPanel = (selector) => [...(panel()?.shadowRoot?.querySelectorAll(selector) ?? [])];
globalThis.arrivals = new Map();
const note = (changes) => {
  const now = performance.timeOrigin + performance.now();
  for (const { addedNodes } of changes)
    for (const { dataset } of addedNodes) if (dataset?.id) arrivals.set(Number(dataset.id), now);
};
(function look() {
  if (inPanel('.list article[data-id]').length === 0) return requestAnimationFrame(look);
  globalThis.shownAt = performance.now();
  performance.mark('${ENDED}');
  new MutationObserver(note).observe(panel().shadowRoot, { childList: true, subtree: true });
})();`;

// Globals that `PREPARED` sets in the page.
declare global {
  var panel: () => HTMLElement & { store?: ChatStore; session?: Session };
  /** Elements in the shadow root of the panel. */
  var inPanel: (selector: string) => HTMLElement[];
  /** When the page contained a conversation, in milliseconds since the navigation began. */
  var shownAt: number | undefined;
  /** When the page contained each message, in milliseconds since the epoch. */
  var arrivals: Map<number, number>;
}

export interface Conditions {
  /** The factor by which the processor is slowed down. */
  slowdown?: number;
  network?: { megabits: number; latencyMs: number };
}

export async function controlled(page: Page, { slowdown = 1, network }: Conditions = {}): Promise<CDPSession> {
  const control = await page.context().newCDPSession(page);
  await control.send('Performance.enable');
  await control.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  if (network) {
    const throughput = (network.megabits * 1e6) / 8;
    await control.send('Network.enable');
    await control.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: network.latencyMs },
      ...{ downloadThroughput: throughput, uploadThroughput: throughput },
    });
  }
  return control;
}

/** Until the conversation is visible, in milliseconds since the navigation began. */
export async function shown(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => globalThis.shownAt, undefined, {
    timeout: 60_000,
  });
  return (await handle.jsonValue()) as number;
}

/** A page that shows the conversation and has no requests left. */
export async function opened(chat: PanelChat, conditions?: Conditions): Promise<{ page: Page; control: CDPSession }> {
  const page = await (await chat.newContext()).newPage();
  await page.goto(chat.conversation);
  await shown(page);
  await page.waitForFunction(() => panel().store?.status.get().state === 'live');
  // Drafts, images and other later requests.
  await page.waitForTimeout(500);
  return { page, control: await controlled(page, conditions) };
}

/** When the page contained the message, in milliseconds since the epoch. */
export async function arrival(page: Page, id: number): Promise<number> {
  const handle = await page.waitForFunction((wanted) => arrivals.get(wanted), id, { polling: 20, timeout: 120_000 });
  return (await handle.jsonValue()) as number;
}

/** After garbage collection. */
export async function memoryOf(control: CDPSession): Promise<{ megabytes: number; nodes: number }> {
  for (let pass = 0; pass < 3; pass++) await control.send('HeapProfiler.collectGarbage');
  const { metrics } = await control.send('Performance.getMetrics');
  const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { megabytes: value('JSHeapUsedSize') / 1e6, nodes: value('Nodes') };
}
