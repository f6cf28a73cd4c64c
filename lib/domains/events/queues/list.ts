import * as v from 'valibot';
import { BadEventQueueId } from '../../../base/errors.ts';
import { RawJson } from '../../../base/raw-json.ts';
import { describe, falseByDefault, integer, nonEmptyText } from '../../../base/schemas.ts';
import { anyEvent, defineEvent } from '../../../events/define-event.ts';
import type { EventFrame, WireEvent } from '../../../events/event-encoder.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { type Encode, eventsInLog, nextEvents } from './next-events.ts';

/** Not in the log: the response to a poll that timed out. */
export const heartbeat = defineEvent('heartbeat', {
  summary: 'The poll timed out without events. Poll again.',
  fields: {},
});

const LIST: EventFrame = { before: () => '', after: '', separator: ',' };

export const listEvents = defineOperation({
  name: 'events.list',
  http: 'GET /events',
  summary: 'Get the events of a queue, or wait for the next event',
  description:
    '`last_event_id` acknowledges all events up to this ID. If there are no events, the call waits and then returns a heartbeat. A newer call on the same queue ends the waiting call. `GET /events/stream` takes the same parameters and sends server-sent events.',
  example: { queue_id: 'd2b1…', last_event_id: -1 },
  access: 'user',
  forRooms: true,
  scope: 'read',
  effect: 'manual',
  startsInTransaction: true,
  longPoll: true,
  params: {
    queue_id: describe(nonEmptyText(200), 'Queue ID from `register`.'),
    last_event_id: describe(
      v.pipe(integer, v.minValue(-1, 'must be -1 or more')),
      'ID of the newest event you have received, or -1.',
    ),
    dont_block: falseByDefault('Return immediately, even without events.'),
  },
  result: v.object({ events: v.array(anyEvent), queue_id: v.string() }),
  errors: [BadEventQueueId],
  async run(context, { queue_id, last_event_id, dont_block }) {
    const { wire, options } = context.services;
    const progress = { queue_id, acknowledged: last_event_id, sent: last_event_id };
    const encode: Encode<RawJson<WireEvent[]>> = (queue, events, reader, organization) => {
      const pieces = wire.encode(queue, events, { reader, organization, frame: LIST });
      const make = () => events.flatMap((event) => wire.eventsFor(queue, event, reader, organization));
      return new RawJson(['[', ...pieces, ']'], make);
    };
    if (dont_block) return { events: (await eventsInLog(context, progress, encode)) ?? [], queue_id };
    const until = performance.now() + options.heartbeatSeconds * 1000;
    const { events, id } = await nextEvents(context, progress, { until, encode });
    return { events: events ?? [{ ...heartbeat({}), id }], queue_id };
  },
});
