import type { LoggedEvent } from '../storage/interface/event-log.ts';

/** JSON of an event up to the place of its id, which is each queue's own. */
export interface SharedEvent {
  /** A long one is kept as bytes. */
  readonly json: string | Buffer;
  /** In UTF-8: counted once, since each who is told of it says how long their answer is. */
  readonly bytes: number;
}

/** Characters from which on an event is kept as bytes: thousands of answers hold on to the same, and none copies it. */
const LONG = 4_096;

/**
 * The JSON of events that many are told of at once, once for each form in which clients want it. Kept as long as the
 * events themselves, which is until the last of the polls is answered.
 */
export class SharedEvents {
  readonly #forms = new WeakMap<LoggedEvent, Map<string, readonly SharedEvent[]>>();

  /** @param form all that the event's JSON depends on, beside the event */
  get(logged: LoggedEvent, form: string): readonly SharedEvent[] | undefined {
    return this.#forms.get(logged)?.get(form);
  }

  keep(logged: LoggedEvent, form: string, made: readonly SharedEvent[]): void {
    const forms = this.#forms.get(logged);
    if (forms) forms.set(form, made);
    else this.#forms.set(logged, new Map([[form, made]]));
  }
}

/** @param event without an id, and not empty */
export function sharedEvent(event: object): SharedEvent {
  const text = JSON.stringify(event).slice(0, -1);
  const json = text.length < LONG ? text : Buffer.from(text);
  return { json, bytes: Buffer.byteLength(json) };
}
