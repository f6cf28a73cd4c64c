/** Asks the server whether it would perform a call, and why it would not accept messages in a place. */

import { useEffect, useState } from 'preact/hooks';
import type { OperationName } from '../chat/session.ts';
import type { ChatStore, Place } from '../client/store/types.ts';
import type { Explanation } from '../engine/explanation.ts';
import { useCell, usePanel, usePeople } from './context.ts';
import { isOpenToWrite } from './messages/permissions.ts';
import { reasonOf } from './reasons.ts';

/** A value that arrives later. Undefined before, and after an error. Fetched again when a key changes. */
export function useFetched<T>(
  fetch: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
): { readonly value: T | undefined; readonly error: string | undefined; readonly isLoading: boolean } {
  const { words } = usePanel();
  const [state, setState] = useState<{ value?: T; error?: string; isLoading: boolean }>({ isLoading: true });
  useEffect(() => {
    const abort = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    fetch(abort.signal).then(
      (value) => abort.signal.aborted || setState({ value, isLoading: false }),
      (error: Error) => abort.signal.aborted || setState({ error: reasonOf(error, words), isLoading: false }),
    );
    return () => abort.abort();
  }, [...keys]);
  return { value: state.value, error: state.error, isLoading: state.isLoading };
}

/** How the server decides about a call, by a dry run of the operation. */
export async function decide(
  { me, session }: ChatStore,
  operation: OperationName,
  parameters: object,
): Promise<Explanation> {
  const why = session.why as (user: number | undefined, operation: string, parameters: object) => Promise<Explanation>;
  return why(me.get()?.user_id, operation, parameters);
}

/**
 * Undefined until the server has answered.
 * @param keys asks again when one of them changes
 */
export function useDecision(
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
