/** Notifications of the browser: allowed with a click, shown while the page is in the background. */

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../buttons.tsx';
import { useCell, usePanel } from '../context.ts';
import { PushSwitch, usePush } from '../push/question.tsx';

/** Absent in some browsers and in pages without https. */
const isSupported = () => 'Notification' in globalThis;

export function NotificationPermission(): JSX.Element {
  const { words } = usePanel();
  const push = usePush();
  const [permission, setPermission] = useState(() => (isSupported() ? Notification.permission : undefined));
  if (push) return <PushSwitch push={push} />;
  if (permission === undefined) return <p class="muted">{words.notifyUnsupported}</p>;
  if (permission === 'granted') return <p class="muted">{words.notifyAllowed}</p>;
  if (permission === 'denied') return <p class="muted">{words.notifyDenied}</p>;
  return (
    <p>
      <Button onClick={async () => setPermission(await Notification.requestPermission())}>{words.notifyAllow}</Button>
    </p>
  );
}

/** Shows a notification when the number of unread direct messages, mentions or all messages grows. */
export function useNotifications(): void {
  const { store, words } = usePanel();
  const { total, direct, mentions } = useCell(store.unread);
  const settings = useCell(store.settings);
  const organization = useCell(store.organization);
  const push = usePush();
  const before = useRef({ total, direct, mentions });
  useEffect(() => {
    const { current } = before;
    before.current = { total, direct, mentions };
    // The browser asks another process for the permission, which takes milliseconds.
    // Nor is it needed where the service worker shows notifications.
    if (!isSupported() || !document.hidden || push?.isOn || Notification.permission !== 'granted') return;
    const isForMe = direct > current.direct || mentions > current.mentions;
    const isWanted =
      (settings?.enable_desktop_notifications && isForMe) ||
      (settings?.enable_stream_desktop_notifications && total > current.total);
    if (!isWanted) return;
    const notification = showNotification(organization?.realm_name ?? '', words.unreadCount(total));
    notification?.addEventListener('click', () => {
      focus();
      notification.close();
    });
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
