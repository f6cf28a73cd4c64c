/** New messages for screen readers. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { MessageListState } from '../../client/store/types.ts';
import { useDeferred } from '../words/deferred-words.ts';
import { rowElement } from './anchoring.ts';

/** Characters of a message for screen readers. */
const MAX_ANNOUNCED_LENGTH = 300;

export interface NewMessagesProps {
  scroller: RefObject<HTMLDivElement | null>;
  state: MessageListState;
}

/** Says messages of others that arrive. It shows nothing itself. */
export function NewMessages({ scroller, state }: NewMessagesProps): null {
  const { store, words, announceMessage } = useDeferred();
  const before = useRef({ generation: -1, last: 0, hadNewest: false });
  useEffect(() => {
    const { messages, generation, hasNewest } = state;
    const { last, hadNewest, generation: earlier } = before.current;
    const newest = messages.at(-1)?.id ?? 0;
    before.current = { generation, last: Math.max(last, newest), hadNewest: hasNewest };
    if (earlier !== generation || !hadNewest) return;
    const me = store.me.get()?.user_id;
    for (const { id, sender_id, sender_full_name } of messages.slice(-50)) {
      if (id <= last || sender_id === me || store.mutedUsers.get().has(sender_id) || !scroller.current) continue;
      const text = rowElement(scroller.current, id)?.querySelector('.body')?.textContent ?? '';
      announceMessage(words.newMessageBy(sender_full_name, text.trim().slice(0, MAX_ANNOUNCED_LENGTH)));
    }
  }, [state.messages]);
  return null;
}
