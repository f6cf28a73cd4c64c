/** A line above the content that says when it is not up to date. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Status } from '../client/store/types.ts';
import { useCell } from './context.ts';
import { Icon } from './icons.tsx';
import { reasonOf } from './reasons.ts';
import { type DeferredWords, useDeferred } from './words/deferred-words.ts';

/** How long the banner says that the connection is back, in milliseconds. */
const BACK_NOTICE_MS = 4000;

export function StatusBanner(): VNode | null {
  const { store, words, announce } = useDeferred();
  const { state, retryAt, error } = useCell(store.status);
  const warnings = useCell(store.warnings);
  const isBack = useIsBack(state);
  const text = isBack ? words.statusBack : statusText({ state, error }, words);
  useEffect(() => {
    if (text !== undefined) announce(text);
  }, [text]);
  if (text === undefined && !warnings.has('not_stored')) return null;
  return (
    <section class={`banner ${text === undefined ? 'warning' : state}`} part="banner" aria-label={words.status}>
      <Icon name={isBack ? 'check' : state === 'behind' ? 'clock' : 'warning'} />
      <p>
        {text ?? words.draftsNotStored} {text !== undefined && retryAt !== undefined && <Countdown until={retryAt} />}
      </p>
      {text !== undefined && (state === 'offline' || state === 'starting') && (
        <button type="button" class="link-button" onClick={() => store.retryNow()}>
          {words.retryNow}
        </button>
      )}
    </section>
  );
}

/** Undefined if all is well. */
function statusText({ state, error }: Pick<Status, 'state'> & { error: Error | undefined }, words: DeferredWords) {
  if (state === 'offline') return words.statusOffline;
  if (state === 'behind') return words.statusBehind;
  return state === 'starting' && error ? words.startFailed(reasonOf(error, words)) : undefined;
}

/** Whether the connection came back a moment ago. */
function useIsBack(state: Status['state']): boolean {
  const [isBack, setIsBack] = useState(false);
  const wasAway = useRef(false);
  useEffect(() => {
    if (state !== 'live') {
      wasAway.current ||= state === 'offline' || state === 'behind';
      return setIsBack(false);
    }
    if (!wasAway.current) return;
    wasAway.current = false;
    setIsBack(true);
    const timer = setTimeout(() => setIsBack(false), BACK_NOTICE_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return isBack && state === 'live';
}

function Countdown({ until }: { until: number }): VNode | null {
  const { words } = useDeferred();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((until - now) / 1000);
  return seconds > 0 ? <span>{words.statusRetryIn(seconds)}</span> : null;
}
