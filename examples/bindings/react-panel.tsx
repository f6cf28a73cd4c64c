/** The panel in React 19, which sets attributes, properties and listeners of elements like these. */
import type { PanelEvents, ParlancePanel, TokenCallback, Words } from 'parlance-chat/panel';
import 'parlance-chat/panel';
import { type HTMLAttributes, type Ref, useState } from 'react';

interface PanelProps extends HTMLAttributes<ParlancePanel> {
  ref?: Ref<ParlancePanel>;
  site?: string;
  channel?: string | number;
  /** Topics have no permissions of their own. */
  topic?: string;
  people?: string;
  view?: 'conversation' | 'inbox' | 'app';
  theme?: 'light' | 'dark' | 'auto';
  token?: TokenCallback;
  words?: Partial<Words>;
  'onparlance-unread'?: (event: CustomEvent<PanelEvents['parlance-unread']>) => void;
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'parlance-panel': PanelProps;
    }
  }
}

/** @param props `room`: the `stream_id` from `chat.rooms.ensure` */
export function OrderChat({ room }: { room: number }) {
  const [unread, setUnread] = useState(0);
  return (
    <section>
      <h2>Chat {unread > 0 && `(${unread})`}</h2>
      <parlance-panel site="/chat" channel={room} onparlance-unread={({ detail }) => setUnread(detail.total)} />
    </section>
  );
}
