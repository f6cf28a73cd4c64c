/** Lets the browser show notifications: those of push where the page has a service worker, otherwise of the page. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../buttons.tsx';
import { lazy } from '../lazy.tsx';
import { pushPart } from '../parts.ts';
import { useSettings } from '../words/settings-words.ts';
import { Check } from './form-controls.tsx';

/** Absent in some browsers and in pages without https. */
const isSupported = () => 'Notification' in globalThis;

const PushSwitch = lazy(async () => (await pushPart()).PushSwitch);

export function NotificationPermission(): JSX.Element {
  const { host, words } = useSettings();
  const denied = <p class="muted">{words.notifyDenied}</p>;
  if (!host.hasAttribute('push')) return <PagePermission denied={denied} />;
  return (
    <PushSwitch control={Check} denied={denied}>
      <PagePermission denied={denied} />
    </PushSwitch>
  );
}

function PagePermission({ denied }: { denied: JSX.Element }): JSX.Element {
  const { words } = useSettings();
  const [permission, setPermission] = useState(() => (isSupported() ? Notification.permission : undefined));
  if (permission === undefined) return <p class="muted">{words.notifyUnsupported}</p>;
  if (permission === 'granted') return <p class="muted">{words.notifyAllowed}</p>;
  if (permission === 'denied') return denied;
  return (
    <p>
      <Button onClick={async () => setPermission(await Notification.requestPermission())}>{words.notifyAllow}</Button>
    </p>
  );
}
