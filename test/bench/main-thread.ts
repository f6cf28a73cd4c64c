import type { Page } from 'playwright-core';

/** A task of the main thread of a page. */
export interface Task {
  /** Milliseconds in the time of the trace. */
  at: number;
  /** Milliseconds of processor time: a busy machine changes it little. */
  cpu: number;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds, as the other times. */
  ts: number;
  /** Processor time of the thread. */
  tdur?: number;
}

/** Names of marks that limit what is counted. */
export const BEGUN = 'bench begun';
export const ENDED = 'bench ended';

const CATEGORIES = ['toplevel', 'blink.user_timing'];
const TASK = 'ThreadControllerImpl::RunTask';

/** The tasks between the marks that the page sets during the work, up to the end of the task with the last mark. */
export async function tasksDuring(page: Page, work: () => Promise<void>): Promise<Task[]> {
  const browser = page.context().browser();
  if (!browser) throw new Error('The page has no browser.');
  await browser.startTracing(page, { categories: CATEGORIES });
  await work();
  const text = (await browser.stopTracing()).toString();
  const { traceEvents } = JSON.parse(text) as { traceEvents: TraceEvent[] };
  const mark = (name: string) => traceEvents.findLast((event) => event.name === name);
  const [begun, ended] = [mark(BEGUN), mark(ENDED)];
  if (!begun || !ended) throw new Error('The page has not set its marks.');
  return traceEvents.flatMap(({ name, pid, tid, ts, tdur }) => {
    const isOfPage = name === TASK && pid === ended.pid && tid === ended.tid && tdur !== undefined;
    return isOfPage && ts >= begun.ts && ts <= ended.ts ? [{ at: ts / 1_000, cpu: tdur / 1_000 }] : [];
  });
}

export const cpuOf = (tasks: readonly Task[]): number => tasks.reduce((sum, { cpu }) => sum + cpu, 0);
