/** Notifications of the browser, shown while the page is in the background. */

import { useEffect, useRef } from 'preact/hooks';
import { useCell } from '../context.ts';
import { pushPart } from '../parts.ts';
import { useApp } from '../words/app-words.ts';

/** Absent in some browsers and in pages without https. */
export const isSupported = () => 'Notification' in globalThis;

/** Shows a notification when the number of unread direct messages, mentions or all messages grows. */
export function useNotifications(): void {
  const panel = useApp();
  const { store, host, words } = panel;
  const me = useCell(store.me);
  const { total, direct, mentions } = useCell(store.unread);
  const settings = useCell(store.settings);
  const organization = useCell(store.organization);
  const before = useRef({ total, direct, mentions });
  useEffect(() => {
    const { current } = before;
    before.current = { total, direct, mentions };
    // The browser asks another process for the permission, which takes milliseconds.
    if (!isSupported() || !document.hidden || Notification.permission !== 'granted') return;
    const isForMe = direct > current.direct || mentions > current.mentions;
    const isWanted =
      (settings?.enable_desktop_notifications && isForMe) ||
      (settings?.enable_stream_desktop_notifications && total > current.total);
    if (!isWanted) return;
    const show = () => {
      const notification = showNotification(organization?.realm_name ?? '', words.unreadCount(total));
      notification?.addEventListener('click', () => {
        focus();
        notification.close();
      });
    };
    if (host.hasAttribute('push') && me)
      void pushPart().then(({ isPushed }) => isPushed(panel, me.user_id) || show(), show);
    else show();
  }, [total, direct, mentions]);
}

/** A later one replaces the one before. Undefined where only service workers may show notifications. */
function showNotification(title: string, body: string): Notification | undefined {
  try {
    return new Notification(title, { body, tag: 'parlance-unread' });
  } catch {
    return undefined;
  }
}
