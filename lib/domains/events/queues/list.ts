import * as v from 'valibot';
import { queueHeld } from '../../../delivery/queue-notices.ts';
import type { Seat } from '../../../delivery/seats.ts';
import { eventId } from '../../../delivery/wire.ts';
import type { ManualContext } from '../../../kernel/context.ts';
import { anyEvent } from '../../../kernel/define-event.ts';
import { BadEventQueueId, BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, flag, integer, text } from '../../../kernel/schemas.ts';
import { isGuest } from '../../../rules/roles.ts';
import type { LoggedEvent } from '../../../storage/interface/event-log.ts';
import type { Organization } from '../../../storage/interface/organization.ts';
import type { EventQueue } from '../../../storage/interface/queues.ts';
import type { User } from '../../../storage/interface/users.ts';
import { heartbeat } from './events.ts';

/** Events one answer holds at most, or some ten megabytes of them; the next call brings the rest. */
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
  recall({ hub, clock }, { queue_id, last_event_id, dont_block }) {
    const seat = dont_block ? undefined : hub.seatOf(queue_id, last_event_id);
    return seat && !isTouchDue(seat.queue, clock.now(), seat.last) ? { ...seat, actor: seat.reader } : undefined;
  },
  async run(context, { queue_id, last_event_id, dont_block }) {
    const { hub, wire, options } = context.services;
    const patience = options.heartbeatSeconds * 1000;
    const end = performance.now() + patience;
    for (let after: number | undefined; ; ) {
      const seat = seatOf(context, queue_id, last_event_id, dont_block);
      const { commitCount } = hub;
      const look = seat ? undefined : await lookAtLog(context, queue_id, last_event_id, after);
      if (look && look.events.length > 0) {
        const { actor, queue, events, organization } = look;
        return { events: events.flatMap((event) => wire.eventsFor(queue, event, actor, organization)), queue_id };
      }
      if (look?.more) {
        after = look.searched;
        continue;
      }
      if (dont_block) {
        hub.supersede(queue_id);
        return { events: [], queue_id };
      }
      const poll = seat ?? pollOf(context, look as Look);
      const { queue, reader } = poll;
      const rest = Math.max(0, end - performance.now());
      const isHeldElsewhere = queue.holder !== hub.id;
      const wakeup = seat?.pending.length
        ? hub.take(seat)
        : await hub.wait(poll, {
            commitCount: seat ? undefined : commitCount,
            milliseconds: isHeldElsewhere ? Math.min(rest, patience * TAKEOVER) : rest,
            signal: context.signal,
          });
      if (wakeup === 'look again') continue;
      if (wakeup === 'heartbeat' && isHeldElsewhere && performance.now() < end) {
        await takeOver(context, queue_id);
        continue;
      }
      if (typeof wakeup === 'string') {
        const id = Math.max(eventId(queue, poll.seq), last_event_id);
        return { events: [{ ...heartbeat({}), id }], queue_id };
      }
      const { events, organization } = wakeup;
      if (!events.some((event) => wire.isOpen(event))) {
        return { events: wire.answer(queue, events, reader, organization, hub.shared), queue_id };
      }
      return context.transact('read', async (look) => {
        const complete = await wire.complete(look, look.actor, events, hub.moved);
        return { events: wire.answer(queue, complete, look.actor, look.organization, hub.shared), queue_id };
      });
    }
  },
});

/** The seat that an earlier poll has left for this one, if it may be taken without looking at the log. */
function seatOf(
  { actor, services: { hub, clock } }: ManualContext<'user'>,
  queueId: string,
  lastEventId: number,
  dontBlock: boolean,
): Seat | undefined {
  const seat = dontBlock ? undefined : hub.seatOf(queueId, lastEventId);
  const isTheirs = seat?.reader.id === actor.id && seat.reader.version === actor.version;
  return seat && isTheirs && !isTouchDue(seat.queue, clock.now(), seat.last) ? seat : undefined;
}

type Look = Awaited<ReturnType<typeof lookAtLog>>;

/** What a poll waits for that has looked at the log. */
function pollOf({ services: { wire } }: ManualContext<'user'>, { queue, actor, usersVersion, searched }: Look) {
  const accepts = (event: LoggedEvent, organization: Organization) => wire.accepts(queue, event, actor, organization);
  return { queue, reader: actor, usersVersion, allPublic: receivesAllPublic(queue, actor), seq: searched, accepts };
}

/**
 * Part of its time after which a poll tells the process that held the one before. Not at once: polls that are
 * answered sooner, as most are where much happens, would each cost a write wherever a balancer sends them
 * from process to process. Until then the earlier poll may get the same events.
 */
const TAKEOVER = 0.1;

async function takeOver({ transact, services }: ManualContext<'user'>, queueId: string): Promise<void> {
  const { hub, clock } = services;
  await transact('append', async ({ tx }) => {
    if (await tx.queues.hold(queueId, hub.id)) await tx.events.append([queueHeld(queueId, hub.id)], clock.now());
  });
}

/** Somebody may have become a guest since they registered. */
function receivesAllPublic(queue: EventQueue, actor: User): boolean {
  return queue.all_public_streams && !isGuest(actor);
}

/**
 * Searches the log for the queue, and notes that the queue is in use. The caller is who they are now: a poll
 * looks again when their account has changed.
 * @param after where an earlier look of the same call stopped
 * @returns `searched`: the place in the log up to which it looked; `more`: it stopped before the end
 */
async function lookAtLog(
  context: ManualContext<'user'>,
  queueId: string,
  lastEventId: number,
  after: number | undefined,
) {
  const { services, now } = context;
  const look = await context.transact('read', async (snapshot) => {
    const { tx, actor, organization, usersVersion } = snapshot;
    const queue = await tx.queues.byId(queueId);
    if (!queue || queue.user_id !== actor.id) throw new BadEventQueueId(queueId);
    const acknowledged = queue.start_seq + 1 + lastEventId;
    const tail = await tx.events.tail();
    if (acknowledged > tail) throw new BadRequest(`The queue has no event ${lastEventId} yet.`);
    const from = Math.max(acknowledged, queue.acked_seq, after ?? 0);
    const allPublic = receivesAllPublic(queue, actor);
    // Others have their turn between the parts of a long way.
    const toSeq = Math.min(tail, from + SPAN);
    const found =
      from < tail
        ? await tx.events.forUser(actor, from, MAX_EVENTS, { allPublic, types: queue.event_types, toSeq })
        : { events: [], more: false };
    const last = found.more ? found.events.at(-1) : undefined;
    const accepted = found.events.filter((event) => services.wire.accepts(queue, event, actor, organization));
    const events = await services.wire.complete(snapshot, actor, accepted, services.hub.moved);
    const searched = last?.seq ?? toSeq;
    // What it passed over without finding anything need not be looked at again, nor kept for it.
    const done = Math.max(queue.acked_seq, events.length > 0 ? Math.max(acknowledged, after ?? 0) : searched);
    return { actor, organization, usersVersion, queue, done, searched, more: searched < tail, events };
  });
  const { queue, done } = look;
  if (!isTouchDue(queue, now, done)) return look;
  await context.transact('append', ({ tx }) => tx.queues.touch(queueId, done, now));
  return { ...look, queue: { ...queue, acked_seq: done, last_used_ms: now } };
}

/** Places of the log that are searched at once. */
const SPAN = 5_000;
/** A queue says how far it is after so many events at the latest: it is ended when it holds back too many. */
const LAG = 10_000;

/** Every quarter of its lifespan, 150 seconds at most: polls are reads, and a write for each would cost too much. */
function isTouchDue(queue: EventQueue, now: number, done: number): boolean {
  return done - queue.acked_seq > LAG || now - queue.last_used_ms > Math.min(queue.lifespan * 250, 150_000);
}
