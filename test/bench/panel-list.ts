import type { CDPSession, Page } from 'playwright-core';
import type { Benchmark, Bound, Finding } from './benchmark.ts';
import { arrival, memoryOf, opened, type PanelChat, panelChat } from './browser.ts';
import { median } from './rounds.ts';

/** Messages that the store keeps of a list. */
const KEPT = 400;

const figures = (
  name: string,
  all: readonly number[],
  { bound, unit, note }: { bound?: Bound; unit: string; note: string },
): Finding => ({
  name,
  ratios: [1],
  absolute: all,
  ...(bound && { bound }),
  subject: median(all),
  floor: 0,
  unit,
  note,
});

/** The end of the list, with the maximum of messages that the store keeps. */
async function filled(chat: PanelChat, page: Page): Promise<void> {
  await page.waitForFunction(() => inPanel('.list article[data-id]').length > 0);
  for (let rows = 0; rows < KEPT; ) {
    await arrival(page, await chat.server.ask<number>('sayMany', { count: 50 }));
    rows = await page.evaluate(() => inPanel('.list article[data-id]').length);
  }
}

/** Total time of scripts, styles and layout so far, in milliseconds. */
async function busyTime(control: CDPSession): Promise<number> {
  const { metrics } = await control.send('Performance.getMetrics');
  const parts = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'];
  return 1_000 * metrics.reduce((sum, { name, value }) => sum + (parts.includes(name) ? value : 0), 0);
}

/** Measures how long the store of the panel takes to apply each batch of events and to notify its listeners. */
const measureBatches = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const store = panel().store as unknown as { apply(events: readonly object[]): void };
    globalThis.batches = [];
    globalThis.applied = 0;
    const apply = store.apply.bind(store);
    store.apply = (events) => {
      const start = performance.now();
      apply(events);
      batches.push(performance.now() - start);
      applied += events.length;
    };
  });

declare global {
  /** How long each batch took, in milliseconds. */
  var batches: number[];
  /** Events in all batches. */
  var applied: number;
}

const ARRIVING = 300;
const BURST = 2_000;
const OWN = 25;

/** Milliseconds from the key to the row of your own message, after layout. */
async function ownRow(page: Page, text: string): Promise<number> {
  await page.locator('parlance-panel').locator('.composer textarea').fill(text);
  await page.evaluate((wanted) => {
    globalThis.shownRow = new Promise((resolve) => {
      const [list] = inPanel('.list');
      if (!list) return;
      let start = 0;
      const isThere = () =>
        inPanel('.list article')
          .slice(-3)
          .some((row) => row.textContent?.includes(wanted));
      const observer = new MutationObserver(() => {
        if (!isThere()) return;
        observer.disconnect();
        list.getBoundingClientRect();
        resolve(performance.now() - start);
      });
      observer.observe(list, { childList: true, subtree: true });
      const options = { capture: true, once: true };
      addEventListener(
        'keydown',
        () => {
          start = performance.now();
        },
        options,
      );
    });
  }, text);
  await page.keyboard.press('Enter');
  const took = await page.evaluate(() => globalThis.shownRow);
  await page.waitForFunction(() => panel().store?.outbox.get().size === 0);
  return took;
}

declare global {
  var shownRow: Promise<number>;
}

async function ownRows(page: Page, control: CDPSession, slowdown: number): Promise<number[]> {
  await control.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const all: number[] = [];
  for (let n = 0; n < OWN; n++) all.push(await ownRow(page, `own message ${n} at ${slowdown}`));
  // The first ones are compiled.
  return all.slice(5);
}

const percentile = (numbers: readonly number[], part: number) =>
  [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) * part)] ?? Number.NaN;

export const panelAppend: Benchmark = {
  names: [
    'panel_append',
    'panel_append_single',
    'panel_append_frame',
    'panel_other_client',
    'panel_own_row',
    'panel_own_row_x4',
  ],
  async run(kit) {
    const chat = await panelChat(kit, { messages: 1_000 });
    try {
      const { page, control } = await opened(chat);
      await measureBatches(page);
      await filled(chat, page);
      const delays: number[] = [];
      const before = await busyTime(control);
      const skipped = await page.evaluate(() => batches.length);
      for (let n = 0; n < ARRIVING; n++) {
        const { id, at } = await chat.server.ask<{ id: number; at: number }>('sayOne');
        delays.push((await arrival(page, id)) - at);
      }
      const busy = (await busyTime(control)) - before;
      const single = (await page.evaluate((from) => batches.slice(from), skipped)).map((took) => 1_000 * took);
      await page.evaluate(() => {
        batches.length = 0;
        applied = 0;
      });
      await arrival(page, await chat.server.ask<number>('sayMany', { count: BURST }));
      const burst = await page.evaluate(() => (1_000 * batches.reduce((sum, took) => sum + took, 0)) / applied);
      return [
        figures('panel_append_single', single, {
          unit: 'us',
          note: 'one event by itself, thirty per second, with the message to other tabs',
        }),
        figures('panel_append', [burst], {
          bound: { atMost: 60 },
          unit: 'us',
          note: `each of ${BURST} consecutive events, into a list of ${KEPT} messages, until its listeners are notified`,
        }),
        figures('panel_append_frame', [busy / ARRIVING], {
          unit: 'ms',
          note: 'one event by itself with rendering, styles, layout and later work',
        }),
        figures('panel_other_client', [percentile(delays, 0.95)], {
          bound: { atMost: 30 },
          unit: 'ms',
          note: `from the call of send to the row of another client, p95; median ${median(delays).toFixed(1)}`,
        }),
        figures('panel_own_row', await ownRows(page, control, 1), {
          bound: { atMost: 16 },
          unit: 'ms',
          note: 'from the key to your own row, after layout',
        }),
        figures('panel_own_row_x4', await ownRows(page, control, 4), {
          bound: { atMost: 32 },
          unit: 'ms',
          note: 'the same with a quarter of the CPU',
        }),
      ];
    } finally {
      await chat.close();
    }
  },
};

const PAGES = 12;
/** Pixels from the top at which the list fetches more. */
const NEAR_TOP = 300;

interface OlderPage {
  rows: number;
  /** From the text of the response to the rows, after layout. */
  milliseconds: number;
  /** The largest displacement of a visible row in a frame, in pixels. */
  drift: number;
}

const olderPage = (page: Page): Promise<OlderPage> =>
  page.evaluate(
    (top) =>
      new Promise<OlderPage>((resolve) => {
        const [list] = inPanel('.list');
        if (!list) throw new Error('There is no list.');
        const rows = () => inPanel('.list article[data-id]');
        const firstId = () => Number(rows()[0]?.dataset.id);
        const placeOf = (id: string | undefined) =>
          inPanel(`.list article[data-id="${id}"] .body`)[0]?.getBoundingClientRect().top ?? Number.NaN;
        list.scrollTop = top;
        const [before, edge] = [firstId(), list.getBoundingClientRect().top];
        const anchor = rows().find((row) => row.getBoundingClientRect().top > edge)?.dataset.id;
        const place = placeOf(anchor);
        const parse = JSON.parse;
        let start = 0;
        JSON.parse = (text: string, ...rest) => {
          if (text.includes('"found_oldest"')) start = performance.now();
          return parse(text, ...rest);
        };
        const observer = new MutationObserver(() => {
          const count = rows().filter((row) => Number(row.dataset.id) < before).length;
          if (count === 0) return;
          observer.disconnect();
          JSON.parse = parse;
          list.getBoundingClientRect();
          const milliseconds = performance.now() - start;
          let [drift, frames] = [Math.abs(placeOf(anchor) - place), 0];
          const watch = () => {
            drift = Math.max(drift, Math.abs(placeOf(anchor) - place));
            if (++frames < 20) requestAnimationFrame(watch);
            else resolve({ rows: count, milliseconds, drift });
          };
          requestAnimationFrame(watch);
        });
        observer.observe(list, { childList: true, subtree: true });
      }),
    NEAR_TOP,
  );

/** Milliseconds that this page needs to insert as many copies of its rows above them, with layout. */
const barePage = (page: Page, count: number): Promise<number> =>
  page.evaluate((wanted) => {
    const [list] = inPanel('.message-rows');
    if (!list) throw new Error('There is no list.');
    const html = inPanel('.list article[data-id]')
      .slice(0, wanted)
      .map((row) => row.outerHTML)
      .join('');
    const start = performance.now();
    const template = document.createElement('template');
    template.innerHTML = html;
    const added = [...template.content.children];
    list.prepend(template.content);
    list.getBoundingClientRect();
    const took = performance.now() - start;
    for (const row of added) row.remove();
    return took;
  }, count);

export const panelOlder: Benchmark = {
  names: ['panel_older', 'panel_older_drift'],
  async run(kit) {
    const chat = await panelChat(kit, { messages: 5_000 });
    try {
      const { page, control } = await opened(chat, { slowdown: 4 });
      const all: OlderPage[] = [];
      const bare: number[] = [];
      const before = await busyTime(control);
      for (let n = 0; n < PAGES; n++) {
        all.push(await olderPage(page));
      }
      const busy = (await busyTime(control)) - before;
      for (let n = 0; n < PAGES; n++) bare.push(await barePage(page, all[0]?.rows ?? 0));
      // The first ones are compiled, and the list has fewer rows.
      const counted = all.slice(4);
      const floor = median(bare.slice(4));
      return [
        {
          name: 'panel_older',
          ratios: counted.map(({ milliseconds }) => milliseconds / floor),
          absolute: counted.map(({ milliseconds }) => milliseconds),
          bound: { atMost: 30 },
          subject: median(counted.map(({ milliseconds }) => milliseconds)),
          floor,
          unit: 'ms',
          note: `${all[0]?.rows} older messages with a quarter of the CPU, from the text of the response to the rows, after layout; floor: the same rows as HTML; whole task ${(busy / PAGES).toFixed(0)} ms`,
        },
        figures(
          'panel_older_drift',
          counted.map(({ drift }) => drift),
          {
            bound: { atMost: 0.5 },
            unit: 'px',
            note: 'largest displacement of a visible row',
          },
        ),
      ];
    } finally {
      await chat.close();
    }
  },
};

const HOUR = 36_000;
const STEP = 2_000;

export const panelHour: Benchmark = {
  names: ['panel_hour', 'panel_hour_memory', 'panel_hour_nodes'],
  async run(kit) {
    const chat = await panelChat(kit, { messages: 1_000 });
    try {
      const { page, control } = await opened(chat);
      await filled(chat, page);
      const say = async (count: number) => {
        for (let said = 0; said < count; said += STEP) {
          await arrival(page, await chat.server.ask<number>('sayMany', { count: Math.min(STEP, count - said) }));
        }
      };
      await say(STEP);
      const measure = async () => {
        // Data of the benchmark itself.
        await page.evaluate(() => arrivals.clear());
        return memoryOf(control);
      };
      const early = await measure();
      const start = performance.now();
      await say(HOUR - STEP);
      const seconds = (performance.now() - start) / 1_000;
      const late = await measure();
      const note = `after ${HOUR} messages in ${seconds.toFixed(0)} s, against ${STEP}`;
      return [
        {
          name: 'panel_hour',
          ratios: [late.megabytes / early.megabytes],
          bound: { atMost: 1.15 },
          subject: late.megabytes,
          floor: early.megabytes,
          unit: 'MB',
          note,
        },
        figures('panel_hour_memory', [late.megabytes], { bound: { atMost: 10 }, unit: 'MB', note: 'heap of the page' }),
        figures('panel_hour_nodes', [late.nodes], { bound: { atMost: 8_000 }, unit: 'nodes', note: 'of the DOM' }),
      ];
    } finally {
      await chat.close();
    }
  },
};
