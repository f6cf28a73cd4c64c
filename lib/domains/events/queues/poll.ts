import { eventId, seqOf } from '../../../delivery/event-ids.ts';
import { queueHeld } from '../../../delivery/queue-notices.ts';
import type { Place, Wakeup } from '../../../delivery/waiter.ts';
import type { WireEvent } from '../../../delivery/wire.ts';
import type { ManualContext, Services } from '../../../kernel/context.ts';
import { BadEventQueueId, BadRequest } from '../../../kernel/errors.ts';
import type { RawJson } from '../../../kernel/raw-json.ts';
import { isGuest } from '../../../rules/roles.ts';
import type { LoggedEvent } from '../../../storage/interface/event-log.ts';
import type { Organization } from '../../../storage/interface/organization.ts';
import type { EventQueue } from '../../../storage/interface/queues.ts';
import type { User } from '../../../storage/interface/users.ts';
import { heartbeat } from './events.ts';

/** Events one answer holds at most, or some ten megabytes of them; the next call brings the rest. */
const MAX_EVENTS = 1_000;

export interface PollParams {
  readonly queue_id: string;
  readonly last_event_id: number;
  readonly dont_block: boolean;
}

export interface PollAnswer {
  events: WireEvent[] | RawJson<WireEvent[]>;
  queue_id: string;
}

/**
 * Looks at the log, and waits until there is something in it for the queue.
 * @param end when it is answered anyway, as `performance.now()` has it
 */
export async function pollLog(context: ManualContext<'user'>, params: PollParams, end: number): Promise<PollAnswer> {
  const { queue_id, dont_block } = params;
  const { hub, wire } = context.services;
  let extent: Extent = 'near';
  for (let after: number | undefined; ; ) {
    const { commitCount } = hub;
    const look = await lookAtLog(context, params, after, extent);
    if (!look) {
      // What somebody has not taken for long may be megabytes.
      await context.turn?.take();
      extent = 'large';
      continue;
    }
    if (look.events.length > 0) {
      const { actor, queue, events, organization } = look;
      return { events: events.flatMap((event) => wire.eventsFor(queue, event, actor, organization)), queue_id };
    }
    if (look.more) {
      after = look.searched;
      continue;
    }
    if (dont_block) {
      hub.supersede(queue_id);
      return { events: [], queue_id };
    }
    const place = placeOf(context, look);
    const milliseconds = patienceFor(context.services, place, end);
    context.turn?.end();
    extent = 'near';
    const wakeup = await hub.wait(place, { commitCount, milliseconds, signal: context.signal });
    const answer = await answerTo(context, params, place, wakeup, end);
    if (answer) return answer;
  }
}

/** Milliseconds that a poll waits; one on a queue that another process may hold says after a while that it waits here. */
export function patienceFor({ hub, options }: Services, { queue }: Place, end: number): number {
  const rest = Math.max(0, end - performance.now());
  return queue.holder === hub.id ? rest : Math.min(rest, options.heartbeatSeconds * 1000 * TAKEOVER);
}

/** The answer to a poll that was woken; nothing where it has to look at the log again. */
export async function answerTo(
  context: ManualContext<'user'>,
  params: PollParams,
  place: Place,
  wakeup: Wakeup,
  end: number,
): Promise<PollAnswer | undefined> {
  const { services } = context;
  const { hub, wire } = services;
  const { queue } = place;
  if (wakeup === 'look again') return undefined;
  if (wakeup === 'heartbeat' && queue.holder !== hub.id && performance.now() < end) {
    await takeOver(context, queue.id);
    return undefined;
  }
  const known = knownAnswer(services, params, place, wakeup);
  if (known || typeof wakeup === 'string') return known;
  return context.transact('read', async (look) => {
    const complete = await wire.complete(look, look.actor, wakeup.events, hub.moved);
    return { events: wire.answer(queue, complete, look.actor, look.organization, hub.shared), queue_id: queue.id };
  });
}

/** The same where it takes nothing that the database knows. */
export function knownAnswer(
  { hub, wire }: Services,
  { last_event_id }: PollParams,
  { queue, reader, seq }: Place,
  wakeup: Exclude<Wakeup, 'look again'>,
): PollAnswer | undefined {
  const queue_id = queue.id;
  if (typeof wakeup === 'string') {
    return { events: [{ ...heartbeat({}), id: Math.max(eventId(queue, seq), last_event_id) }], queue_id };
  }
  const { events, organization } = wakeup;
  for (const event of events) if (wire.isOpen(event)) return undefined;
  return { events: wire.answer(queue, events, reader, organization, hub.shared), queue_id };
}

type Look = NonNullable<Awaited<ReturnType<typeof lookAtLog>>>;

/** Where a poll waits that has looked at the log. */
function placeOf({ services: { wire } }: ManualContext<'user'>, { queue, actor, usersVersion, searched }: Look): Place {
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
function receivesAllPublic(queue: EventQueue, actor: Pick<User, 'role'>): boolean {
  return queue.all_public_streams && !isGuest(actor);
}

/**
 * Searches the log for the queue, and notes that the queue is in use. The caller is who they are now: a poll
 * looks again when their account has changed.
 * @param after where an earlier look of the same call stopped
 * @param extent `near`: nothing is looked at, and nothing returned, where the end is far
 * @returns `searched`: the place in the log up to which it looked; `more`: it stopped before the end
 */
async function lookAtLog(
  context: ManualContext<'user'>,
  { queue_id: queueId, last_event_id: lastEventId }: PollParams,
  after: number | undefined,
  extent: Extent,
) {
  const { services, now } = context;
  const look = await context.transact(
    'read',
    async (snapshot) => {
      const { tx, actor, organization, usersVersion } = snapshot;
      const [queue, { tail, lostAfter, lostTo }] = await Promise.all([tx.queues.byId(queueId), tx.events.extent()]);
      if (!queue || queue.user_id !== actor.id) throw new BadEventQueueId(queueId);
      const acknowledged = seqOf(queue, lastEventId);
      // The client has received events that the database has lost, so it has to register again.
      if (acknowledged > lostAfter && acknowledged <= lostTo) throw new BadEventQueueId(queueId);
      if (acknowledged > tail) throw new BadRequest(`The queue has no event ${lastEventId} yet. Send the ID of an event that you have received.`);
      const from = Math.max(acknowledged, queue.acked_seq, after ?? 0);
      if (extent === 'near' && tail - from > NEAR) return undefined;
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
    },
    {
      extent: extent === 'near' ? undefined : extent,
      ahead: ({ queues, events }) => [queues.byId(queueId), events.extent()],
    },
  );
  if (!look) return undefined;
  const { queue, done } = look;
  if (!isTouchDue(queue, now, done)) return look;
  await context.transact('append', ({ tx }) => tx.queues.touch(queueId, done, now));
  return { ...look, queue: { ...queue, acked_seq: done, last_used_ms: now } };
}

/** `large` is done apart, when its turn has come. */
type Extent = 'near' | 'large';

/** Places of the log that are near: a poll that comes again is behind by a few. */
const NEAR = 20;
/** Places of the log that are searched at once. */
const SPAN = 5_000;
/** A queue says how far it is after so many events at the latest: it is ended when it holds back too many. */
const LAG = 10_000;

/** Every quarter of its lifespan, 150 seconds at most: polls are reads, and a write for each would cost too much. */
export function isTouchDue(queue: EventQueue, now: number, done: number): boolean {
  return done - queue.acked_seq > LAG || now - queue.last_used_ms > Math.min(queue.lifespan * 250, 150_000);
}
