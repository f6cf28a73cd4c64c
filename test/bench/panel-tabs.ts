import type { Page } from 'playwright-core';
import type { Benchmark } from './benchmark.ts';
import { arrival, panelChat, shown } from './browser.ts';
import { median } from './rounds.ts';

const TABS = 12;
/** Milliseconds until the tabs have no requests left. */
const IDLE_MS = 6_000;
const TAKEOVERS = 5;

export const panelTabs: Benchmark = {
  names: ['panel_tabs', 'panel_takeover'],
  async run(kit) {
    const chat = await panelChat(kit, { messages: 200 });
    try {
      const context = await chat.newContext();
      const tabs: Page[] = [];
      for (let n = 0; n < TABS; n++) {
        const page = await context.newPage();
        await page.goto(chat.conversation);
        await shown(page);
        tabs.push(page);
      }
      await tabs[0]?.waitForTimeout(IDLE_MS);
      const open = await chat.server.ask<{ connections: number; waiting: number }>('open');
      const takeovers: number[] = [];
      for (let n = 0; n < TAKEOVERS; n++) {
        // The oldest tab leads.
        await tabs.shift()?.close();
        const { id, at } = await chat.server.ask<{ id: number; at: number }>('sayOne');
        const arrivals = await Promise.all(tabs.map((tab) => arrival(tab, id)));
        takeovers.push(Math.max(...arrivals) - at);
      }
      return [
        {
          name: 'panel_tabs',
          ratios: [1],
          absolute: [open.waiting],
          bound: { atMost: 1 },
          subject: open.waiting,
          floor: 0,
          unit: 'connections',
          note: `that wait for events for ${TABS} tabs of a browser; ${open.connections} with idle ones`,
        },
        {
          name: 'panel_takeover',
          ratios: [1],
          absolute: takeovers,
          bound: { atMost: 500 },
          subject: median(takeovers),
          floor: 0,
          unit: 'ms',
          note: 'until every other tab has a message that is sent when the leading tab closes',
        },
      ];
    } finally {
      await chat.close();
    }
  },
};
