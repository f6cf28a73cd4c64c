import * as v from 'valibot';
import { anyEvent } from '../../../kernel/define-event.ts';
import { BadEventQueueId, BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, flag, integer, text } from '../../../kernel/schemas.ts';
import { pollLog } from './poll.ts';
import { ResumedPoll } from './resumed-poll.ts';

export const listEvents = defineOperation({
  name: 'events.list',
  http: 'GET /events',
  summary: 'Get the events of a queue, waiting for the first one',
  description:
    'Passing an id acknowledges everything up to it. A wait without events ends in a heartbeat; a newer call on the same queue ends this one.',
  example: { queue_id: 'd2b1…', last_event_id: -1 },
  access: 'user',
  effect: 'manual',
  startsInTransaction: true,
  longPoll: true,
  params: v.object({
    queue_id: describe(text(200), 'Queue made by register.'),
    last_event_id: describe(
      v.pipe(integer, v.minValue(-1, 'must be -1 or more')),
      'Newest event you have; -1 for none.',
    ),
    dont_block: v.optional(describe(flag, 'Answer at once, even without events.'), false),
  }),
  result: v.object({ events: v.array(anyEvent), queue_id: v.string() }),
  errors: [BadRequest, BadEventQueueId],
  resume: (services, params) => ResumedPoll.at(services, params),
  run: (context, params) =>
    pollLog(context, params, performance.now() + context.services.options.heartbeatSeconds * 1000),
});
