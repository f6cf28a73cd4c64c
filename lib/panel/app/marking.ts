import { retryAfter } from '../../client/answer.ts';
import { useApp } from '../words/app-words.ts';
import { useReport } from './hooks.ts';

/** Marks many messages as read, and says so. */
export function useMarkRead(): (call: () => Promise<object>) => void {
  const { words, announce } = useApp();
  const report = useReport();
  return (call) => report(markMany(call).then(() => announce(words.markedRead)));
}

/** One call may mark only a part: then it repeats the call. If there were too many requests, it waits as the server asks. */
async function markMany(call: () => Promise<object>): Promise<void> {
  for (;;) {
    try {
      const { complete = true } = (await call()) as { complete?: boolean };
      if (complete) return;
    } catch (error) {
      const pause = retryAfter(error);
      if ((error as { status?: number }).status !== 429 || pause === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
