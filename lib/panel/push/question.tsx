/** The question after the first sent message, and the switch in the settings. Both need the attribute `push`. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Check } from '../app/controls.tsx';
import { useAction } from '../app/hooks.ts';
import { Button, ErrorText } from '../buttons.tsx';
import { useCell, usePanel } from '../context.ts';
import { answerWorker, Push } from './push.ts';

/** The absolute address of the service worker. Undefined if the page has none, or the browser cannot do it. */
function useScript(): string | undefined {
  const script = usePanel().host.getAttribute('push');
  return script !== null && Push.isSupported() ? new URL(script, document.baseURI).href : undefined;
}

/** Undefined also while the account is unknown. */
export function usePush(): Push | undefined {
  const { store, site } = usePanel();
  const script = useScript();
  const me = useCell(store.me)?.user_id;
  return useMemo(
    () => (script === undefined || me === undefined ? undefined : new Push(store.session, script, site, me)),
    [store, script, site, me],
  );
}

export function PushQuestion(): JSX.Element | null {
  const { store, host, site, words } = usePanel();
  const script = useScript();
  const push = usePush();
  const [isAsking, setIsAsking] = useState(false);
  const action = useAction();
  useEffect(() => push && answerWorker(), [push]);
  useEffect(() => {
    if (script === undefined) return undefined;
    return store.status.listen(({ state }) => {
      if (state === 'signed-out') Push.suspend(script, site).catch(() => undefined);
    });
  }, [store, script, site]);
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
