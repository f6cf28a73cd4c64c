/** The client store in React: one hook for all cells. */
import type { Cell, ChatStore, TopicPlace } from 'parlance-chat/client';
import { useEffect, useState, useSyncExternalStore } from 'react';

export function useCell<T>(cell: Cell<T>): T {
  return useSyncExternalStore(
    (run) => cell.listen(run),
    () => cell.get(),
    () => cell.get(),
  );
}

export function Badge({ store }: { store: ChatStore }) {
  const { total } = useCell(store.unread);
  return total > 0 ? <b>{total}</b> : null;
}

export function Messages({ store, place }: { store: ChatStore; place: TopicPlace }) {
  const [list] = useState(() => store.messages.open(place));
  useEffect(() => () => list.close(), [list]);
  const { messages, outgoing } = useCell(list.state);
  return (
    <ul>
      {messages.map(({ id, sender_full_name }) => (
        <li key={id}>{sender_full_name}</li>
      ))}
      {outgoing.map(({ localId, content, state }) => (
        <li key={localId}>
          {content} ({state})
        </li>
      ))}
    </ul>
  );
}
