/** Errors of actions without a place of their own, such as those of a menu. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { usePanel } from '../context.ts';

/** Shows a text above the view until the user closes it or goes elsewhere. */
export const NoticeContext = createContext<(text: string) => void>(() => {});

/** Waits for an action and shows the error if it is refused. */
export function useReport(): (action: Promise<unknown>) => void {
  const show = useContext(NoticeContext);
  const { words } = usePanel();
  return (action) => {
    action.catch((error: unknown) => show(words.actionFailed(error instanceof Error ? error.message : String(error))));
  };
}
