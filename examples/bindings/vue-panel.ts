/** The panel in Vue. In templates, `compilerOptions.isCustomElement` must name `parlance-panel`. */
import 'parlance-chat/panel';
import type { PanelEvents } from 'parlance-chat/panel';
import { defineComponent, h, ref } from 'vue';

export const OrderChat = defineComponent({
  /** `room`: the `stream_id` from `chat.rooms.ensure`. */
  props: { room: { type: Number, required: true } },
  setup(props) {
    const unread = ref(0);
    const onParlanceUnread = ({ detail }: CustomEvent<PanelEvents['parlance-unread']>) => {
      unread.value = detail.total;
    };
    return () =>
      h('section', [
        h('h2', unread.value > 0 ? `Chat (${unread.value})` : 'Chat'),
        h('parlance-panel', { site: '/chat', channel: props.room, onParlanceUnread }),
      ]);
  },
});
