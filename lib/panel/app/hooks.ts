/** Hooks of the app: actions with their errors, fetched values, permissions. */

import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { OperationName, ParametersOf } from '../../chat/session.ts';
import type { ChatStore, Place } from '../../client/store/types.ts';
import type { Explanation } from '../../engine/explanation.ts';
import { useCell, usePanel, usePeople } from '../context.ts';
import { isOpenToWrite } from '../messages/permissions.ts';

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
        setState({ isRunning: false, error: error instanceof Error ? error.message : String(error) });
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

/** A value that arrives later. Undefined before, and after an error. Fetched again when a key changes. */
export function useFetched<T>(
  fetch: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
): { readonly value: T | undefined; readonly error: string | undefined; readonly isLoading: boolean } {
  const [state, setState] = useState<{ value?: T; error?: string; isLoading: boolean }>({ isLoading: true });
  useEffect(() => {
    const abort = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    fetch(abort.signal).then(
      (value) => abort.signal.aborted || setState({ value, isLoading: false }),
      (error: Error) => abort.signal.aborted || setState({ error: error.message, isLoading: false }),
    );
    return () => abort.abort();
  }, [...keys]);
  return { value: state.value, error: state.error, isLoading: state.isLoading };
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

/** How the server decides about a call, by a dry run of the operation. */
async function decide({ me, session }: ChatStore, operation: OperationName, parameters: object): Promise<Explanation> {
  const why = session.why as (user: number | undefined, operation: string, parameters: object) => Promise<Explanation>;
  return why(me.get()?.user_id, operation, parameters);
}

/**
 * Undefined until the server has answered.
 * @param keys asks again when one of them changes
 */
function useDecision(
  operation: OperationName,
  parameters: object | false | undefined,
  keys: readonly unknown[] = [],
): Explanation | undefined {
  const { store } = usePanel();
  const me = useCell(store.me)?.user_id;
  const question = JSON.stringify([operation, me, parameters]);
  const { value } = useFetched(
    async () =>
      me === undefined || !parameters ? undefined : { question, decision: await decide(store, operation, parameters) },
    [question, ...keys],
  );
  return value?.question === question ? value.decision : undefined;
}

// The code refuses addresses. The server checks permissions before them.
const allows = ({ allowed, refusal }: Explanation) => allowed || refusal?.code === 'INVITATION_FAILED';

export const isAllowed = async (...call: Parameters<typeof decide>): Promise<boolean> => allows(await decide(...call));

/** Whether the server would allow a call. False until it has answered: actions appear after the server allows them. */
export function useMay(operation: OperationName, parameters: object | false | undefined): boolean {
  const decision = useDecision(operation, parameters);
  return decision !== undefined && allows(decision);
}

/** Settings that decide who may write. When another one changes, thousands of open panels must not all ask again. */
const WRITING_RULES = /^can_|is_archived|is_subscribed|invite_only|direct_message|topics/;
const rulesOf = (record: object = {}) =>
  JSON.stringify(Object.entries(record).filter(([name]) => WRITING_RULES.test(name)));

/**
 * Why the user cannot write in a place. Undefined if they can, and until the server has answered. Asks the server only if
 * the state does not show that they can: then it knows the reason.
 */
export function useRefusal(place: Place): string | undefined {
  const { store, words } = usePanel();
  const me = useCell(store.me);
  const organization = useCell(store.organization);
  const channels = useCell(store.channels);
  const userIds = 'userIds' in place ? place.userIds : [];
  const recipients = usePeople(userIds);
  const channel = 'topic' in place ? channels.get(place.channelId) : undefined;
  const gone = recipients.find((person) => person?.is_active === false);
  const isFetching = recipients.some((person) => person === undefined);
  const isOpen = isFetching || isOpenToWrite(place, { me, organization, channel, recipients });
  const address =
    'topic' in place
      ? { type: 'channel', to: place.channelId, topic: place.topic }
      : { type: 'direct', to: userIds.length > 0 ? userIds : [me?.user_id] };
  const keys = [me?.role, rulesOf(organization), rulesOf(channel)];
  const refusal = useDecision('messages.send', !isOpen && !gone && { ...address, content: '.' }, keys)?.refusal;
  if (gone) return words.refusedByDeactivation(gone.full_name);
  return refusal?.code === 'STREAM_DOES_NOT_EXIST' ? words.refusedChannel : refusal?.msg;
}

/** A name that no channel has, to ask for permissions. */
export const UNUSED_NAME = 'name that only asks for permission';

/** Whether the user may create public and private channels. */
export function useMayCreateChannels(): { readonly isPublic: boolean; readonly isPrivate: boolean } {
  const isPublic = useMay('channels.create', { name: UNUSED_NAME, subscribers: [], invite_only: false });
  const isPrivate = useMay('channels.create', { name: UNUSED_NAME, subscribers: [], invite_only: true });
  return { isPublic, isPrivate };
}

// Errors of actions without a place of their own, such as those of a menu.

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
