import * as v from 'valibot';
import { BadEventQueueId } from '../../../base/errors.ts';
import { describe, flag, integer, nonEmptyText, optional } from '../../../base/schemas.ts';
import { anyEvent } from '../../../events/define-event.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { pollLog, resumePoll } from './poll.ts';

export const listEvents = defineOperation({
  name: 'events.list',
  http: 'GET /events',
  summary: 'Get the events of a queue, or wait for the next event',
  description:
    '`last_event_id` acknowledges all events up to this ID. If there are no events, the call waits and then returns a heartbeat. A newer call on the same queue ends the waiting call.',
  example: { queue_id: 'd2b1…', last_event_id: -1 },
  access: 'user',
  effect: 'manual',
  startsInTransaction: true,
  longPoll: true,
  params: {
    queue_id: describe(nonEmptyText(200), 'Queue ID from `register`.'),
    last_event_id: describe(
      v.pipe(integer, v.minValue(-1, 'must be -1 or more')),
      'ID of the newest event you have received, or -1.',
    ),
    dont_block: optional(flag, 'Return immediately, even without events.', false),
  },
  result: v.object({ events: v.array(anyEvent), queue_id: v.string() }),
  errors: [BadEventQueueId],
  resume: resumePoll,
  run: (context, params) =>
    pollLog(context, params, performance.now() + context.services.options.heartbeatSeconds * 1000),
});
