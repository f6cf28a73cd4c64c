/** The subscribers of a channel, kept up to date. */
import { useEffect, useState } from 'preact/hooks';
import type { ChatEvent } from '../../../chat/session.ts';
import { usePanel } from '../../context.ts';
import { reasonOf } from '../../reasons.ts';

/** People who joined or left. The list that arrives during a fetch may lack them. */
interface Change {
  readonly isComing: boolean;
  readonly userIds: readonly number[];
}

interface Subscribers {
  /** Undefined until they are there. */
  readonly ids: ReadonlySet<number> | undefined;
  readonly error: string | undefined;
}

export function useSubscribers(channelId: number): Subscribers {
  const { store, words } = usePanel();
  const [state, setState] = useState<Subscribers>({ ids: undefined, error: undefined });
  useEffect(() => {
    let attempt = 0;
    /** During a fetch. */
    let changes: Change[] | undefined;
    const fetch = async () => {
      const own = ++attempt;
      changes = [];
      try {
        const { subscribers } = await store.session.channels.subscribers({ stream_id: channelId });
        if (own === attempt) setState({ ids: after(new Set(subscribers), changes), error: undefined });
      } catch (error) {
        if (own === attempt) setState(({ ids }) => ({ ids, error: reasonOf(error, words) }));
      } finally {
        if (own === attempt) changes = undefined;
      }
    };
    void fetch();
    const end = store.events.listen((events) => {
      // The store has started again, and may have missed some.
      if (events.length === 0) return void fetch();
      const me = store.me.get()?.user_id ?? 0;
      const made = events.flatMap((event) => changeOf(event, channelId, me));
      if (made.length === 0) return;
      changes?.push(...made);
      setState(({ ids, error }) => ({ ids: ids && after(ids, made), error }));
    });
    return () => {
      attempt++;
      end();
    };
  }, [store, channelId]);
  return state;
}

function after(ids: ReadonlySet<number>, changes: readonly Change[]): ReadonlySet<number> {
  const changed = new Set(ids);
  for (const { isComing, userIds } of changes)
    for (const id of userIds) {
      if (isComing) changed.add(id);
      else changed.delete(id);
    }
  return changed;
}

function changeOf(event: ChatEvent, channelId: number, me: number): Change[] {
  if (event.type !== 'subscription') return [];
  if (event.op === 'peer_add' || event.op === 'peer_remove') {
    const isHere = event.stream_ids.includes(channelId);
    return isHere ? [{ isComing: event.op === 'peer_add', userIds: event.user_ids }] : [];
  }
  if (event.op !== 'add' && event.op !== 'remove') return [];
  const isHere = event.subscriptions.some(({ stream_id }) => stream_id === channelId);
  return isHere ? [{ isComing: event.op === 'add', userIds: [me] }] : [];
}
