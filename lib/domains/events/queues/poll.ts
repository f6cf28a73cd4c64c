import { RawJson } from '../../../base/raw-json.ts';
import { defineEvent } from '../../../events/define-event.ts';
import type { EventFrame, WireEvent } from '../../../events/event-encoder.ts';
import { type Encode, type EventCaller, eventsInLog, nextEvents } from './next-events.ts';

/** Not in the log: the response to a poll that timed out. */
export const heartbeat = defineEvent('heartbeat', {
  summary: 'The poll timed out without events. Poll again.',
  fields: {},
});

const LIST: EventFrame = { before: () => '', after: '', separator: ',' };

export interface PollParams {
  readonly queue_id: string;
  readonly last_event_id: number;
  readonly dont_block: boolean;
}

/** The next events of a queue, as `events.list` returns them. No async function: thousands of polls wait. */
export function poll(
  caller: EventCaller,
  { queue_id, last_event_id, dont_block }: PollParams,
): Promise<{ events: RawJson<WireEvent[]> | WireEvent[]; queue_id: string }> {
  const { wire, options } = caller.services;
  const progress = { queue_id, acknowledged: last_event_id, sent: last_event_id };
  const encode: Encode<RawJson<WireEvent[]>> = (queue, events, reader, organization) => {
    const pieces = wire.encode(queue, events, { reader, organization, frame: LIST });
    const make = () => events.flatMap((event) => wire.eventsFor(queue, event, reader, organization));
    return new RawJson(['[', ...pieces, ']'], make);
  };
  if (dont_block) return eventsInLog(caller, progress, encode).then((events) => ({ events: events ?? [], queue_id }));
  const until = performance.now() + options.heartbeatSeconds * 1000;
  return nextEvents(caller, progress, { until, encode }).then(({ events, id }) => ({
    events: events ?? [{ ...heartbeat({}), id }],
    queue_id,
  }));
}
