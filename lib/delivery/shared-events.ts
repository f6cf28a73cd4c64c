import type { LoggedEvent } from '../storage/interface/event-log.ts';

/** JSON of an event without its ID, which depends on the queue. */
export interface SharedEvent {
  /** Long JSON is a Buffer. */
  readonly json: string | Buffer;
  /** Size in UTF-8. Counted once, since every response needs it for its length. */
  readonly bytes: number;
}

/** From this length on, JSON is a Buffer: thousands of responses share it without copies. */
const MIN_CHARS_KEPT_AS_BYTES = 4_096;

/**
 * JSON of events with many recipients, once for each form that clients want. It lives as long as the events, until the
 * last poll is answered.
 */
export class SharedEvents {
  readonly #forms = new WeakMap<LoggedEvent, Map<string, readonly SharedEvent[]>>();

  /** @param form everything besides the event on which the JSON depends */
  get(logged: LoggedEvent, form: string): readonly SharedEvent[] | undefined {
    return this.#forms.get(logged)?.get(form);
  }

  keep(logged: LoggedEvent, form: string, made: readonly SharedEvent[]): void {
    const forms = this.#forms.get(logged);
    if (forms) forms.set(form, made);
    else this.#forms.set(logged, new Map([[form, made]]));
  }
}

/** @param event without an ID, and not empty */
export function sharedEvent(event: object): SharedEvent {
  const text = JSON.stringify(event).slice(0, -1);
  const json = text.length < MIN_CHARS_KEPT_AS_BYTES ? text : Buffer.from(text);
  return { json, bytes: Buffer.byteLength(json) };
}
