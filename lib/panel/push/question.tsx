/** The question after the first sent message, and the switch in the settings. Both need the attribute `push`. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Check } from '../app/controls.tsx';
import { useAction } from '../app/hooks.ts';
import { Button, ErrorText } from '../buttons.tsx';
import { useCell, usePanel } from '../context.ts';
import { answerWorker, Push } from './push.ts';

/** Undefined if the page has no service worker, or the browser cannot do it. */
export function usePush(): Push | undefined {
  const { store, host, site } = usePanel();
  const script = host.getAttribute('push');
  const me = useCell(store.me)?.user_id;
  return useMemo(() => {
    if (script === null || me === undefined || !Push.isSupported()) return undefined;
    return new Push(store.session, new URL(script, document.baseURI).href, site, me);
  }, [store, script, site, me]);
}

export function PushQuestion(): JSX.Element | null {
  const { host, words } = usePanel();
  const push = usePush();
  const [isAsking, setIsAsking] = useState(false);
  const action = useAction();
  useEffect(() => push && answerWorker(), [push]);
  useEffect(() => {
    if (!push) return undefined;
    // Without a connection, the next start renews it.
    push.renew().catch(() => undefined);
    const ask = () => push.mayAsk && setIsAsking(true);
    host.addEventListener('parlance-sent', ask);
    return () => host.removeEventListener('parlance-sent', ask);
  }, [push, host]);
  if (!push || !isAsking) return null;
  const end = () => {
    push.noteAsked();
    setIsAsking(false);
  };
  return (
    <div class="banner push-question" part="push-question">
      <p>{words.pushQuestion}</p>
      <Button
        isDisabled={action.isRunning}
        onClick={async () => {
          if (await action.run(() => push.turnOn())) end();
        }}
      >
        {words.pushTurnOn}
      </Button>
      <Button onClick={end}>{words.pushNotNow}</Button>
      <ErrorText action={action} />
    </div>
  );
}

export function PushSwitch({ push }: { push: Push }): JSX.Element {
  const { words } = usePanel();
  const [isOn, setIsOn] = useState(push.isOn);
  const action = useAction();
  const change = async (wanted: boolean) => {
    await action.run(async () => (wanted ? void (await push.turnOn()) : push.turnOff()));
    setIsOn(push.isOn);
  };
  if (Notification.permission === 'denied') return <p class="muted">{words.notifyDenied}</p>;
  return (
    <>
      <Check label={words.pushSwitch} isChecked={isOn} onChange={(wanted) => void change(wanted)} />
      <ErrorText action={action} />
    </>
  );
}
