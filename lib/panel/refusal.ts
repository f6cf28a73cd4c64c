/** What the user may do: asks the server whether it would perform a call, unless the state shows it. */

import { useEffect, useState } from 'preact/hooks';
import type { OperationName } from '../chat/session.ts';
import type { ChatStore, Me } from '../client/store/types.ts';
import type { Explanation } from '../engine/explanation.ts';
import { useCell, usePanel } from './context.ts';
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

/** A name that no channel has, to ask for permissions. */
export const UNUSED_NAME = 'name that only asks for permission';

/** Groups that follow from roles, by ID, with the lowest role of their members. Full members also need an age. */
export const ROLE_GROUPS: Readonly<Record<number, number>> = { 2: 100, 3: 200, 4: 300, 6: 400, 7: 600, 8: 600 };

type GroupSetting = number | { readonly direct_members: number[]; readonly direct_subgroups: number[] } | undefined;

/** Whether the value of a permission includes the account, as far as its role and its ID show. */
export function isGranted(value: GroupSetting, me: Me): boolean {
  if (typeof value === 'number') return me.role <= (ROLE_GROUPS[value] ?? 0);
  return value?.direct_members.includes(me.user_id) === true;
}
