import { useEffect, useMemo } from 'preact/hooks';
import type { MessageList } from '../../client/store/types.ts';
import { usePanel } from '../context.ts';

/** The newest messages of all conversations, while the component is there. @param limit most messages */
export function useNewest(limit?: number): MessageList {
  const { store } = usePanel();
  const list = useMemo(() => store.messages.open({ view: 'all' }, 'newest', limit ? { limit } : {}), [store]);
  useEffect(() => () => list.close(), [list]);
  return list;
}
