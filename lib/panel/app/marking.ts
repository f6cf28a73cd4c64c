import { retryAfter } from '../../client/answer.ts';

/**
 * Marks many messages as read. One call may mark only a part: then it repeats the call. If there were too many requests,
 * it waits as long as the server asks.
 */
export async function markMany(call: () => Promise<object>): Promise<void> {
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
