import * as v from 'valibot';
import { BadEventQueueId } from '../../../base/errors.ts';
import { describe, falseByDefault, integer, nonEmptyText } from '../../../base/schemas.ts';
import { anyEvent } from '../../../events/define-event.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { poll } from './poll.ts';

export const listEvents = defineOperation({
  name: 'events.list',
  http: 'GET /events',
  summary: 'Get the events of a queue, or wait for the next event',
  description:
    '`last_event_id` acknowledges all events up to this ID. If there are no events, the call waits and then returns a heartbeat. A newer call on the same queue ends the waiting call. `GET /events/stream` takes the same parameters and sends server-sent events.',
  example: { queue_id: 'd2b1…', last_event_id: -1 },
  access: 'user',
  forRooms: true,
  effect: 'poll',
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
  run: poll,
});
