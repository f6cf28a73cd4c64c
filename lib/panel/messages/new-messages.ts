/** What follows from changes of a list: new messages for screen readers, and the way to a topic that was moved. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { MessageListState } from '../../client/store/types.ts';
import { useDeferred } from '../words/deferred-words.ts';
import { composerOf, rowElement } from './anchoring.ts';

/** Characters of a message for screen readers. */
const MAX_ANNOUNCED_LENGTH = 300;

export interface NewMessagesProps {
  scroller: RefObject<HTMLDivElement | null>;
  state: MessageListState;
  /** As the messages were first shown. */
  first: MessageListState;
}

/** Says messages of others that arrive, and follows a topic that was moved or renamed as a whole. It shows nothing itself. */
export function NewMessages({ scroller, state, first }: NewMessagesProps): null {
  const { store, words, announceMessage, navigate } = useDeferred();
  const { generation: shown, messages: known, hasNewest: wasNewest } = first;
  const before = useRef({ generation: shown, last: known.at(-1)?.id ?? 0, hadNewest: wasNewest });
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
  const { movedTo } = state;
  useEffect(() => {
    if (!movedTo) return;
    // The user writes on.
    const isWriting = composerOf(scroller.current)?.matches(':focus');
    navigate({ narrow: movedTo, isMove: true, ...(isWriting && { toWrite: true }) });
  }, [movedTo]);
  return null;
}
