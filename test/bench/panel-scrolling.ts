import type { Page } from 'playwright-core';
import type { Benchmark } from './benchmark.ts';
import { opened, panelChat } from './browser.ts';
import { BEGUN, cpuOf, ENDED, type Task, tasksDuring } from './main-thread.ts';

const MESSAGES = 10_000;
/** Pixels in each frame. */
const STEP = 400;

/** Scrolls from the newest message to the first one. @returns the number of frames */
async function scrollBack(page: Page): Promise<{ frames: number; tasks: readonly Task[] }> {
  let frames = 0;
  const tasks = await tasksDuring(page, async () => {
    frames = await page.evaluate(
      async ({ step, begun, ended }) => {
        const [list] = inPanel('.list');
        if (!list) throw new Error('There is no list.');
        performance.mark(begun);
        let count = 0;
        // The line above the first message of the conversation.
        while (list.scrollTop > 0 || inPanel('.start').length === 0) {
          list.scrollTop -= step;
          count++;
          await new Promise(requestAnimationFrame);
        }
        performance.mark(ended);
        return count;
      },
      { step: STEP, begun: BEGUN, ended: ENDED },
    );
  });
  return { frames, tasks };
}

export const panelScroll: Benchmark = {
  names: ['panel_scroll', 'panel_scroll_cpu'],
  async run(kit) {
    const chat = await panelChat(kit, { messages: MESSAGES });
    try {
      const { page } = await opened(chat);
      const { frames, tasks } = await scrollBack(page);
      const longest = Math.max(...tasks.map(({ cpu }) => cpu));
      const all = cpuOf(tasks);
      const common = { ratios: [1], floor: 0, unit: 'ms' };
      return [
        {
          ...common,
          name: 'panel_scroll',
          absolute: [longest],
          bound: { atMost: 50 },
          subject: longest,
          note: `processor time of the longest task while the reader scrolls back through ${MESSAGES} messages, ${STEP} pixels a frame`,
        },
        {
          ...common,
          name: 'panel_scroll_cpu',
          absolute: [all / frames],
          subject: all / frames,
          note: `processor time of the main thread per frame; ${frames} frames`,
        },
      ];
    } finally {
      await chat.close();
    }
  },
};
