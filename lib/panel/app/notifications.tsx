/** Whether the browser shows notifications. A click allows them. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../buttons.tsx';
import { useSettings } from '../words/settings-words.ts';

/** Absent in some browsers and in pages without https. */
const isSupported = () => 'Notification' in globalThis;

export function NotificationPermission(): JSX.Element {
  const { words } = useSettings();
  const [permission, setPermission] = useState(() => (isSupported() ? Notification.permission : undefined));
  if (permission === undefined) return <p class="muted">{words.notifyUnsupported}</p>;
  if (permission === 'granted') return <p class="muted">{words.notifyAllowed}</p>;
  if (permission === 'denied') return <p class="muted">{words.notifyDenied}</p>;
  return (
    <p>
      <Button onClick={async () => setPermission(await Notification.requestPermission())}>{words.notifyAllow}</Button>
    </p>
  );
}
