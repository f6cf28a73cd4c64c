import type { Benchmark, Finding } from './benchmark.ts';
import { type Conditions, controlled, opened, type PanelChat, panelChat, shown } from './browser.ts';
import { BEGUN, cpuOf, ENDED, tasksDuring } from './main-thread.ts';
import { median } from './rounds.ts';

const ROUNDS = 7;
const WARM_UPS = 1;

/** Milliseconds to fetch the module from this machine, and to run it until the element is defined. */
async function loaded(chat: PanelChat, conditions: Conditions): Promise<number> {
  const context = await chat.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${chat.url}/login`);
    await page.setContent('<!doctype html><title>Page</title>');
    await controlled(page, conditions);
    return await page.evaluate(async (module) => {
      const start = performance.now();
      await import(module);
      return performance.now() - start;
    }, `${chat.url}/static/panel.js`);
  } finally {
    await context.close();
  }
}

async function usable(chat: PanelChat, conditions: Conditions): Promise<number> {
  const context = await chat.newContext();
  try {
    const page = await context.newPage();
    await controlled(page, conditions);
    await page.goto(chat.conversation, { waitUntil: 'commit' });
    return await shown(page);
  } finally {
    await context.close();
  }
}

/** Milliseconds of processor time of the main thread until the conversation shows. */
async function mainThread(chat: PanelChat): Promise<number> {
  const context = await chat.newContext();
  try {
    const page = await context.newPage();
    const tasks = await tasksDuring(page, async () => {
      await page.goto(chat.conversation, { waitUntil: 'commit' });
      await shown(page);
    });
    return cpuOf(tasks);
  } finally {
    await context.close();
  }
}

const SWITCHES = 15;
/** Code of the first ones is compiled during them. */
const FIRST_SWITCHES = 5;
/** Milliseconds in which requests end that follow a switch. */
const SETTLED_MS = 400;

/** Milliseconds of processor time of the main thread for each switch to a conversation that was not open before. */
async function switches(chat: PanelChat): Promise<number[]> {
  const { page } = await opened(chat);
  const all: number[] = [];
  for (let n = 0; n < SWITCHES; n++) {
    const address = chat.conversation.replace(/(channel.)\d+(.topic.).*/, `$1${chat.channel + n + 1}$2oil`);
    const tasks = await tasksDuring(page, () =>
      page.evaluate(
        async ([fragment = '', begun = '', ended = '', settled = '']) => {
          const old = inPanel('.list')[0];
          performance.mark(begun);
          location.hash = fragment;
          const isShown = () => inPanel('.list')[0] !== old && inPanel('.list article[data-id]').length > 0;
          while (!isShown()) await new Promise(requestAnimationFrame);
          await new Promise((resolve) => setTimeout(resolve, Number(settled)));
          performance.mark(ended);
        },
        [new URL(address).hash, BEGUN, ENDED, `${SETTLED_MS}`],
      ),
    );
    all.push(cpuOf(tasks));
  }
  await page.context().close();
  return all.slice(FIRST_SWITCHES);
}

async function measured(name: string, most: number, note: string, measure: () => Promise<number>): Promise<Finding> {
  const all: number[] = [];
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    const figure = await measure();
    if (round >= 0) all.push(figure);
  }
  return figures(name, most, note, all);
}

const figures = (name: string, most: number, note: string, all: readonly number[]): Finding => ({
  name,
  ratios: [1],
  absolute: all,
  bound: { atMost: most },
  subject: median(all),
  floor: 0,
  unit: 'ms',
  note,
});

export const panelLoad: Benchmark = {
  names: ['panel_load', 'panel_load_x4'],
  async run(kit) {
    const chat = await panelChat(kit, { messages: 10 });
    try {
      return [
        await measured('panel_load', 40, 'import of the panel from this machine', () => loaded(chat, {})),
        await measured('panel_load_x4', 120, 'the same with a quarter of the CPU', () => loaded(chat, { slowdown: 4 })),
      ];
    } finally {
      await chat.close();
    }
  },
};

const NETWORKS = {
  fast: { network: { megabits: 10, latencyMs: 40 } },
  cold: { network: { megabits: 10, latencyMs: 40 }, slowdown: 4 },
  slow: { network: { megabits: 1.6, latencyMs: 150 }, slowdown: 4 },
};

export const panelUsable: Benchmark = {
  names: [
    'panel_usable',
    'panel_usable_10_mbit',
    'panel_usable_cold',
    'panel_usable_phone',
    'panel_usable_cpu',
    'panel_switch_cpu',
  ],
  async run(kit) {
    const chat = await panelChat(kit, {
      people: 10_000,
      channels: [10_000, ...Array(39).fill(100), ...Array(960).fill(0)],
      messages: 10_000,
      otherMessages: 45,
    });
    try {
      const note =
        'until the conversation shows, with nothing in the cache: 10,001 users, 1,000 channels, 100,000 messages';
      return [
        await measured('panel_usable', 700, note, () => usable(chat, {})),
        await measured('panel_usable_10_mbit', 1_000, 'the same at 10 Mbit/s and 40 ms', () =>
          usable(chat, NETWORKS.fast),
        ),
        await measured('panel_usable_cold', 1_500, 'the same with a quarter of the CPU', () =>
          usable(chat, NETWORKS.cold),
        ),
        await measured('panel_usable_phone', 2_500, 'at 1.6 Mbit/s and 150 ms, with a quarter of the CPU', () =>
          usable(chat, NETWORKS.slow),
        ),
        await measured('panel_usable_cpu', 120, 'the same, processor time of the main thread', () => mainThread(chat)),
        figures(
          'panel_switch_cpu',
          50,
          'to another topic of another channel: processor time of the main thread until all requests have ended',
          await switches(chat),
        ),
      ];
    } finally {
      await chat.close();
    }
  },
};
