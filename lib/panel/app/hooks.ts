/** Hooks of the app: actions with their errors, fetched values, permissions. */

import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { OperationName, ParametersOf } from '../../chat/session.ts';
import type { ChatStore } from '../../client/store/types.ts';
import type { Explanation } from '../../engine/explanation.ts';
import { usePanel } from '../context.ts';
import { reasonOf } from '../reasons.ts';
import { decide, useDecision } from '../refusal.ts';

export interface Action {
  readonly isRunning: boolean;
  /** What the last attempt was refused with. */
  readonly error: string | undefined;
  /** Runs it unless it runs already. Keeps the message of an error for display. Resolves to whether it succeeded. */
  run(work: () => Promise<unknown>): Promise<boolean>;
  clear(): void;
}

/** A call that the user started: disabled while it runs, with its error in place. */
export function useAction(): Action {
  const { words } = usePanel();
  const [state, setState] = useState<{ isRunning: boolean; error?: string }>({ isRunning: false });
  const isRunning = useRef(false);
  return {
    isRunning: state.isRunning,
    error: state.error,
    async run(work) {
      if (isRunning.current) return false;
      isRunning.current = true;
      setState({ isRunning: true });
      try {
        await work();
        setState({ isRunning: false });
        return true;
      } catch (error) {
        setState({ isRunning: false, error: reasonOf(error, words) });
        return false;
      } finally {
        isRunning.current = false;
      }
    },
    clear: () => setState({ isRunning: false }),
  };
}

/** Ends the mute of a user, or the block. */
export function unmuteUser({ session, blockedUsers }: ChatStore, id: number): Promise<unknown> {
  if (blockedUsers.get().has(id)) return session.users.unblock({ user_id: id });
  return session.mutedUsers.remove({ muted_user_id: id });
}

/** Whether a menu or dialog is open. */
export function useOpen() {
  const [isOpen, setOpen] = useState(false);
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false) };
}

/** The value, after it has not changed for 200 ms: for searches while the user types. */
export function useDebounced<T>(value: T): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), 200);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}

// The code refuses addresses. The server checks permissions before them.
const allows = ({ allowed, refusal }: Explanation) => allowed || refusal?.code === 'INVITATION_FAILED';

export const isAllowed = async (...call: Parameters<typeof decide>): Promise<boolean> => allows(await decide(...call));

/** Whether the server would allow a call. False until it has answered: actions appear after the server allows them. */
export function useMay(operation: OperationName, parameters: object | false | undefined): boolean {
  const decision = useDecision(operation, parameters);
  return decision !== undefined && allows(decision);
}

// Errors of actions without a place of their own, such as those of a menu.

/** A text above the view until the user closes it or goes elsewhere. `undo` takes back what it says. */
export interface Notice {
  readonly text: string;
  readonly undo?: () => Promise<unknown>;
}

export const NoticeContext = createContext<(notice: Notice) => void>(() => {});

/** Waits for an action and shows the error if it is refused. */
export function useReport(): (action: Promise<unknown>) => void {
  const show = useContext(NoticeContext);
  const { words } = usePanel();
  return (action) => {
    action.catch((error: unknown) => show({ text: words.actionFailed(reasonOf(error, words)) }));
  };
}

type SettingsChange = NonNullable<ParametersOf<'settings.edit'>[0]>;

/** Saves settings. The store shows them when their event arrives. */
export function useSave(): Action & { save(change: SettingsChange): Promise<boolean> } {
  const { store, words, announce } = usePanel();
  const action = useAction();
  return {
    ...action,
    async save(change) {
      const isSaved = await action.run(() => store.session.settings.edit(change));
      if (isSaved) announce(words.saved);
      return isSaved;
    },
  };
}

/** Opens the search field with this query. */
export const SearchContext = createContext<(query: string) => void>(() => {});

export const useSearch = () => useContext(SearchContext);

/** The text as the value of a filter in the search field. */
export const quoted = (text: string) => (/[\s"]|^\//.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text);
