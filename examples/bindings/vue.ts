/** The client store in Vue: one composable for all cells. */
import type { Cell, ChatStore } from 'parlance-chat/client';
import { defineComponent, h, onScopeDispose, type PropType, type ShallowRef, shallowRef } from 'vue';

export function useCell<T>(cell: Cell<T>): ShallowRef<T> {
  const value = shallowRef(cell.get());
  onScopeDispose(
    cell.subscribe((next) => {
      value.value = next;
    }),
  );
  return value;
}

export const Badge = defineComponent({
  props: { store: { type: Object as PropType<ChatStore>, required: true } },
  setup({ store }) {
    const unread = useCell(store.unread);
    return () => (unread.value.total > 0 ? h('b', unread.value.total) : undefined);
  },
});
