import * as v from 'valibot';
import { BadEventQueueId } from '../../../base/errors.ts';
import { RawJson } from '../../../base/raw-json.ts';
import { describe, falseByDefault, integer, nonEmptyText } from '../../../base/schemas.ts';
import { anyEvent } from '../../../events/define-event.ts';
import type { EventFrame } from '../../../events/event-encoder.ts';
import { defineOperation } from '../../../operation/operation.ts';
import type { ManualContext } from '../../../viewer/context.ts';
import { heartbeat, type PollParams, poll, pollLog, resumption } from './poll.ts';

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
  resume: (services, params) => resumption(services, params, (context) => listed(context, params, poll)),
  run: (context, params) => listed(context, params, pollLog),
});

const LIST: EventFrame = { before: () => '', after: '', separator: ',' };

async function listed(context: ManualContext<'user'>, params: PollParams, ask: typeof poll) {
  const { wire, options } = context.services;
  const { queue_id } = params;
  const end = performance.now() + options.heartbeatSeconds * 1000;
  const outcome = await ask(context, params, end, (queue, events, reader, organization) => {
    const pieces = wire.encode(queue, events, { reader, organization, frame: LIST });
    const make = () => events.flatMap((event) => wire.eventsFor(queue, event, reader, organization));
    return new RawJson(['[', ...pieces, ']'], make);
  });
  if ('events' in outcome) return { events: outcome.events, queue_id };
  return { events: outcome.ending === 'nothing' ? [] : [{ ...heartbeat({}), id: outcome.id }], queue_id };
}
