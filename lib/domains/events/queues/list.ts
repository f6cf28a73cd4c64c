import * as v from 'valibot';
import { eventId } from '../../../delivery/wire.ts';
import type { ManualContext } from '../../../kernel/context.ts';
import { anyEvent } from '../../../kernel/define-event.ts';
import { BadEventQueueId, BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, flag, integer, text } from '../../../kernel/schemas.ts';
import { isGuest } from '../../../rules/roles.ts';
import type { LoggedEvent } from '../../../storage/interface/event-log.ts';
import type { EventQueue } from '../../../storage/interface/queues.ts';
import { heartbeat } from './events.ts';

/** Events one answer holds at most; the next call brings the rest. */
const MAX_EVENTS = 1_000;

export const listEvents = defineOperation({
  name: 'events.list',
  http: 'GET /events',
  summary: 'Get the events of a queue, waiting for the first one',
  description:
    'Passing an id acknowledges everything up to it. A wait without events ends in a heartbeat; a newer call on the same queue ends this one.',
  example: { queue_id: 'd2b1…', last_event_id: -1 },
  access: 'user',
  effect: 'manual',
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
  async run(context, { queue_id, last_event_id, dont_block }) {
    const { services, actor, organization } = context;
    for (let after: number | undefined; ; ) {
      const { commitCount } = services.hub;
      const look = await lookAtLog(context, queue_id, last_event_id, after);
      const { queue } = look;
      const events = (logged: readonly LoggedEvent[]) =>
        logged.flatMap((event) => services.wire.eventsFor(queue, event, actor, organization));
      if (look.events.length > 0) return { events: events(look.events), queue_id };
      if (look.more) {
        after = look.searched;
        continue;
      }
      if (dont_block) {
        services.hub.supersede(queue_id);
        return { events: [], queue_id };
      }
      const wakeup = await services.hub.wait({
        queueId: queue_id,
        userId: actor.id,
        isGuest: isGuest(actor),
        allPublic: queue.all_public_streams,
        seq: look.searched,
        commitCount,
        accepts: (event) => services.wire.accepts(queue, event, actor, organization),
        milliseconds: services.options.heartbeatSeconds * 1000,
        signal: context.signal,
      });
      if (wakeup === 'look again') continue;
      if (typeof wakeup === 'string') {
        const id = Math.max(eventId(queue, look.searched), last_event_id);
        return { events: [{ ...heartbeat({}), id }], queue_id };
      }
      const complete = wakeup.some((event) => services.wire.isOpen(event))
        ? await context.transact('read', ({ tx }) => services.wire.complete(tx, actor.id, wakeup, services.hub.moved))
        : wakeup;
      return { events: events(complete), queue_id };
    }
  },
});

/**
 * Searches the log for the queue, and notes that the queue is in use.
 * @param after where an earlier look of the same call stopped
 * @returns `searched`: the place in the log up to which it looked; `more`: it stopped before the end
 */
async function lookAtLog(
  context: ManualContext<'user'>,
  queueId: string,
  lastEventId: number,
  after: number | undefined,
) {
  const { actor, services, now, organization } = context;
  const look = await context.transact('read', async ({ tx }) => {
    const queue = await tx.queues.byId(queueId);
    if (!queue || queue.user_id !== actor.id) throw new BadEventQueueId(queueId);
    const acknowledged = queue.start_seq + 1 + lastEventId;
    const tail = await tx.events.tail();
    if (acknowledged > tail) throw new BadRequest(`The queue has no event ${lastEventId} yet.`);
    const from = Math.max(acknowledged, queue.acked_seq, after ?? 0);
    const found = from < tail ? await tx.events.forUser(actor, from, MAX_EVENTS, queue.all_public_streams) : [];
    const last = found.length === MAX_EVENTS ? found.at(-1) : undefined;
    const accepted = found.filter((event) => services.wire.accepts(queue, event, actor, organization));
    const events = await services.wire.complete(tx, actor.id, accepted, services.hub.moved);
    return { queue, acknowledged, searched: last?.seq ?? tail, more: last !== undefined, events };
  });
  if (isTouchDue(look.queue, now)) {
    await context.transact('append', ({ tx }) =>
      tx.queues.touch(queueId, Math.max(look.acknowledged, look.queue.acked_seq), now),
    );
  }
  return look;
}

/** Every quarter of its lifespan, 150 seconds at most: polls are reads, and a write for each would cost too much. */
function isTouchDue(queue: EventQueue, now: number): boolean {
  return now - queue.last_used_ms > Math.min(queue.lifespan * 250, 150_000);
}
