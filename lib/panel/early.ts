import type { EarlyEvents } from './context.ts';

/** Dispatches the held events of this type again, to which the caller listens from now on. */
export function replayEarly<E extends Event>(
  early: EarlyEvents,
  type: string,
  isUsed: (event: E, target: Element) => unknown,
): void {
  const events = early[type] ?? [];
  early[type] = undefined;
  for (const [event, target] of events) {
    const Same = event.constructor as new (type: string, options: EventInit) => Event;
    if (isUsed(event as E, target)) target.dispatchEvent(new Same(type, event));
  }
}
