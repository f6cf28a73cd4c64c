/** Tells the store whether the user is active. */
import type { ChatStore } from '../client/store/types.ts';

/** After this time without input the user is idle, in milliseconds. */
const IDLE_AFTER_MS = 5 * 60_000;
/** How often the panel checks whether the user is idle, in milliseconds. */
const LOOK_MS = 30_000;
const INPUT = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'scroll', 'focus'];

/**
 * Reports the presence while the store is live: active while the page is visible, has the focus and is in use. After a
 * reconnection it reports at once, because the response has the presence of other users.
 * @param signal ends it
 */
export function watchPresence({ status, activity }: ChatStore, signal: AbortSignal): void {
  let usedAt = Date.now();
  let reported: boolean | undefined;
  const look = () => {
    if (status.get().state !== 'live') {
      reported = undefined;
      return;
    }
    const isSeen = document.visibilityState === 'visible' && document.hasFocus();
    const isActive = isSeen && Date.now() - usedAt < IDLE_AFTER_MS;
    if (isActive === reported) return;
    reported = isActive;
    activity.reportPresence(isActive);
  };
  const onInput = () => {
    usedAt = Date.now();
    if (!reported) look();
  };
  for (const type of INPUT) window.addEventListener(type, onInput, { signal, capture: true, passive: true });
  const end = status.subscribe(look);
  const timer = setInterval(look, LOOK_MS);
  signal.addEventListener('abort', () => {
    end();
    clearInterval(timer);
  });
}
