/** The question after the first sent message, and the switch in the settings. Both need the attribute `push`. */
import type { JSX, VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useAction } from '../app/hooks.ts';
import { Button, ErrorText } from '../buttons.tsx';
import { type Panel, useCell, usePanel } from '../context.ts';
import { usePushWords } from '../words/push-words.ts';
import { answerWorker, Push } from './push.ts';

/** The absolute URL of the service worker. Undefined without the attribute, or without support in the browser. */
function scriptOf({ host }: Panel): string | undefined {
  const script = host.getAttribute('push');
  return script !== null && Push.isSupported() ? new URL(script, document.baseURI).href : undefined;
}

/** Undefined also while the account is unknown. */
function usePush(): Push | undefined {
  const panel = usePanel();
  const { store, site } = panel;
  const script = scriptOf(panel);
  const me = useCell(store.me)?.user_id;
  return useMemo(
    () => (script === undefined || me === undefined ? undefined : new Push(store.session, script, site, me)),
    [store, script, site, me],
  );
}

export function PushQuestion(): JSX.Element | null {
  const panel = usePushWords();
  const { store, host, site, words } = panel;
  const script = scriptOf(panel);
  const isSignedOut = useCell(store.status).state === 'signed-out';
  const push = usePush();
  const [isAsking, setIsAsking] = useState(false);
  const action = useAction();
  useEffect(() => push && answerWorker(), [push]);
  useEffect(() => {
    if (script !== undefined && isSignedOut) Push.suspend(script, site).catch(() => undefined);
  }, [isSignedOut, script, site]);
  useEffect(() => {
    if (!push) return undefined;
    // Without a connection, the next start renews it.
    push.renew().catch(() => undefined);
    const ask = () => push.mayAsk && setIsAsking(true);
    host.addEventListener('parlance-sent', ask);
    return () => host.removeEventListener('parlance-sent', ask);
  }, [push, host]);
  if (!push || !isAsking || isSignedOut) return null;
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

/** Whether the service worker shows notifications to the account. */
export function isPushed(panel: Panel, userId: number): boolean {
  const script = scriptOf(panel);
  return script !== undefined && new Push(panel.store.session, script, panel.site, userId).isOn;
}

interface SwitchProps {
  /** The switch of the settings page. A prop, because a page with one conversation does not load it. */
  control(props: { label: string; isChecked: boolean; onChange(isChecked: boolean): void }): JSX.Element;
  /** Shown if the user has refused notifications. */
  denied: VNode;
}

/** @param children shown where push notifications cannot be on */
export function PushSwitch({ children, ...rest }: SwitchProps & { children: VNode }): VNode {
  const push = usePush();
  return push ? <Switch push={push} {...rest} /> : children;
}

function Switch({ push, control: Control, denied }: SwitchProps & { push: Push }): VNode {
  const { words } = usePushWords();
  const [isOn, setIsOn] = useState(push.isOn);
  const action = useAction();
  const change = async (wanted: boolean) => {
    await action.run(async () => (wanted ? void (await push.turnOn()) : push.turnOff()));
    setIsOn(push.isOn);
  };
  if (Notification.permission === 'denied') return denied;
  return (
    <>
      <Control label={words.pushSwitch} isChecked={isOn} onChange={(wanted) => void change(wanted)} />
      <ErrorText action={action} />
    </>
  );
}
