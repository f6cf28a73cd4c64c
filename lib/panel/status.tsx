/** A line above the content that says when it is not up to date. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useCell, usePanel } from './context.ts';
import { Icon } from './icons.tsx';

export function StatusBanner(): VNode | null {
  const { store, words, announce } = usePanel();
  const { state, retryAt, error } = useCell(store.status);
  const warnings = useCell(store.warnings);
  const text =
    state === 'offline'
      ? words.statusOffline
      : state === 'behind'
        ? words.statusBehind
        : state === 'starting' && error
          ? words.startFailed(error.message)
          : undefined;
  useEffect(() => {
    if (text !== undefined) announce(text);
  }, [text]);
  if (text === undefined && !warnings.has('not_stored')) return null;
  return (
    <div class={`banner ${text === undefined ? 'warning' : state}`} part="banner">
      <Icon name={state === 'behind' ? 'clock' : 'warning'} />
      <p>
        {text ?? words.draftsNotStored} {text !== undefined && retryAt !== undefined && <Countdown until={retryAt} />}
      </p>
      {text !== undefined && state !== 'behind' && (
        <button type="button" class="link-button" onClick={() => store.retryNow()}>
          {words.retryNow}
        </button>
      )}
    </div>
  );
}

function Countdown({ until }: { until: number }): VNode | null {
  const { words } = usePanel();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((until - now) / 1000);
  return seconds > 0 ? <span>{words.statusRetryIn(seconds)}</span> : null;
}
