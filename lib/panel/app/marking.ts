import { useContext } from 'preact/hooks';
import { retryAfter } from '../../client/answer.ts';
import { useApp } from '../words/app-words.ts';
import { NoticeContext, useReport } from './hooks.ts';

/** Marks many messages as read, and shows a notice. `hasUndo`: the notice can mark them as unread again. */
export function useMarkRead(): (call: () => Promise<object>, options?: { hasUndo: boolean }) => void {
  const { store, words, announce } = useApp();
  const report = useReport();
  const show = useContext(NoticeContext);
  return (call, { hasUndo = false } = { hasUndo: false }) => {
    const ids = store.messages.unreadIds();
    const done = () => {
      if (hasUndo) show({ text: words.markedRead, undo: () => store.messages.markUnread(ids) });
      else announce(words.markedRead);
    };
    report(markMany(call).then(done));
  };
}

/** Repeats the call until it has marked all messages. After a rate limit, waits as long as the server says. */
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
