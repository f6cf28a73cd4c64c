import type { LoggedEvent } from '../storage/interface/event-log.ts';

/** JSON of an event up to the place of its id, which is each queue's own. A long one is kept as bytes. */
export type SharedEvent = string | Buffer;

/** Characters from which on an event is kept as bytes: thousands of answers hold on to the same, and none copies it. */
const LONG = 4_096;

/**
 * The JSON of events that many are told of at once, once for each form in which clients want it. Kept as long as the
 * events themselves, which is until the last of the polls is answered.
 */
export class SharedEvents {
  readonly #forms = new WeakMap<LoggedEvent, Map<string, readonly SharedEvent[]>>();

  /** @param form all that the event's JSON depends on, beside the event, where it is to be kept */
  of(
    logged: LoggedEvent,
    form: string,
    make: () => { made: readonly SharedEvent[]; keep: boolean },
  ): readonly SharedEvent[] {
    let forms = this.#forms.get(logged);
    if (!forms) {
      forms = new Map();
      this.#forms.set(logged, forms);
    }
    const known = forms.get(form);
    if (known) return known;
    const { made, keep } = make();
    if (keep) forms.set(form, made);
    return made;
  }
}

/** @param event without an id, and not empty */
export function sharedEvent(event: object): SharedEvent {
  const text = JSON.stringify(event).slice(0, -1);
  return text.length < LONG ? text : Buffer.from(text);
}
