import { BadEventQueueId, BadRequest } from '../../../base/errors.ts';
import { defineEvent } from '../../../events/define-event.ts';
import { type CompleteEvent, eventId, seqOf } from '../../../events/event-encoder.ts';
import { ParkedQueue } from '../../../events/hub.ts';
import { queueHeld } from '../../../events/queue-notices.ts';
import type { PollState, Wakeup } from '../../../events/waiter.ts';
import type { Organization } from '../../../model/organization.ts';
import type { User } from '../../../model/users.ts';
import type { Resumption } from '../../../operation/operation.ts';
import { isGuest } from '../../../rules/roles.ts';
import type { EventQueue, LoggedEvent, PublicFeed } from '../../../storage/interface/events.ts';
import type { ManualContext, Services } from '../../../viewer/context.ts';
import { feedOfNarrow } from '../../messages/queue-narrow.ts';
import { ownsQueue, roomIds } from './queue-owner.ts';

/** Not in the log: the response to a poll that timed out. */
export const heartbeat = defineEvent('heartbeat', {
  summary: 'The poll timed out without events. Poll again.',
  fields: {},
});

/** Events per response. A response also ends after about 10 MB. The next call returns the rest. */
const MAX_EVENTS = 1_000;

export interface PollParams {
  readonly queue_id: string;
  readonly last_event_id: number;
  readonly dont_block: boolean;
  /** The client has not acknowledged `last_event_id`. */
  readonly isUnacknowledged?: boolean;
}

/** How a poll ends. `id` acknowledges everything that it has searched. */
type Outcome<T> = { events: T; id: number } | { ending: 'nothing' | 'heartbeat' | 'superseded'; id: number };

/** Makes the answer of events in their final form. */
type Encode<T> = (queue: EventQueue, events: readonly CompleteEvent[], reader: User, organization: Organization) => T;

/**
 * Gets the events of a queue, or waits for the next ones. Continues at the parked queue, without reading the log, if
 * there is one. The caller must be authorized.
 * @param end time of the heartbeat, as in `performance.now()`
 */
export async function poll<T>(
  context: ManualContext<'user'>,
  params: PollParams,
  end: number,
  encode: Encode<T>,
): Promise<Outcome<T>> {
  const parked = parkedFor(context.services, params);
  const mayResume = parked && isSameCaller(parked.reader, context.actor);
  return (
    (mayResume && (await resume(context, params, parked, { end, encode }))) || pollLog(context, params, end, encode)
  );
}

/** Whether credentials that were valid for one are valid for the other. A stream can be older than a change of the key. */
const isSameCaller = (one: User, other: User) =>
  one.id === other.id &&
  roomIds(one)?.join() === roomIds(other)?.join() &&
  one.key_generation === other.key_generation &&
  one.login_generation === other.login_generation &&
  one.ended_logins === other.ended_logins &&
  one.password_hash === other.password_hash &&
  one.delivery_email === other.delivery_email;

const parkedFor = ({ hub }: Services, { dont_block, queue_id, last_event_id }: PollParams) =>
  dont_block ? undefined : hub.parked(queue_id, last_event_id);

/** A call that continues at a parked queue. */
export function resumption(
  services: Services,
  params: PollParams,
  run: (context: ManualContext<'user'>) => Promise<object>,
): Resumption | undefined {
  const parked = parkedFor(services, params);
  const organization = services.hub.organizations.newest;
  return parked && organization && { actor: parked.reader, organization, run };
}

/** Like `poll`, but reads the log first, which authorizes the caller. */
export async function pollLog<T>(
  context: ManualContext<'user'>,
  params: PollParams,
  end: number,
  encode: Encode<T>,
): Promise<Outcome<T>> {
  const { queue_id, last_event_id, dont_block } = params;
  const { hub, wire } = context.services;
  let extent: Extent = 'near';
  for (let after: number | undefined; ; ) {
    const { commitCount } = hub;
    const look = await lookAtLog(context, params, after, extent);
    if (!look) {
      // The backlog of a queue that was not polled for long can be megabytes.
      await context.permit?.begin();
      extent = 'large';
      continue;
    }
    const { queue, actor, organization, usersVersion, searched: seq, events } = look;
    const accepts = (event: LoggedEvent, organization: Organization) => wire.accepts(queue, event, actor, organization);
    const publicFeed = publicFeedOf(queue, actor);
    const poll = new ParkedQueue({ queue, reader: actor, usersVersion, publicFeed, seq, accepts });
    const last = events.at(-1);
    if (last) {
      hub.supersede(queue_id);
      if (!look.more && !dont_block) hub.note(poll, last.seq);
      return { events: encode(queue, events, actor, organization), id: eventId(queue, last.seq) };
    }
    if (look.more) {
      after = seq;
      continue;
    }
    if (dont_block) {
      hub.supersede(queue_id);
      return { ending: 'nothing', id: Math.max(eventId(queue, seq), last_event_id) };
    }
    const milliseconds = patienceFor(context, poll, end);
    context.permit?.end();
    extent = 'near';
    const wakeup = await hub.wait(poll, { commitCount, milliseconds, signal: context.signal });
    const outcome = await outcomeOf(context, params, poll, { wakeup, end, encode });
    if (outcome) return outcome;
  }
}

async function resume<T>(
  context: ManualContext<'user'>,
  params: PollParams,
  parked: ParkedQueue,
  { end, encode }: { end: number; encode: Encode<T> },
) {
  const { services, signal } = context;
  const { queue } = parked;
  const last = seqOf(queue, params.last_event_id);
  const done = params.isUnacknowledged ? queue.acked_seq : last;
  if (isTouchDue(queue, services.clock.now(), done)) parked.queue = await touch(context, queue, done);
  const milliseconds = patienceFor(context, parked, end);
  const wakeup = await services.hub.resume(parked, last, { milliseconds, signal });
  return outcomeOf(context, params, parked, { wakeup, end, encode });
}

/**
 * Milliseconds that a poll waits, at most until the caller's token expires. If another process may hold the queue, the
 * poll wakes early to take it over.
 */
function patienceFor({ services, loginEndsAt }: ManualContext<'user'>, { queue }: PollState, end: number): number {
  const { hub, options, clock } = services;
  const untilExpiry = loginEndsAt === undefined ? Number.POSITIVE_INFINITY : loginEndsAt - clock.now();
  const rest = Math.max(0, Math.min(end - performance.now(), untilExpiry));
  return queue.holder === hub.id ? rest : Math.min(rest, options.heartbeatSeconds * 1000 * TAKEOVER_TIMEOUT_S);
}

/** Undefined if the poll has to read the log. */
async function outcomeOf<T>(
  context: ManualContext<'user'>,
  params: PollParams,
  poll: PollState,
  { wakeup, end, encode }: { wakeup: Wakeup; end: number; encode: Encode<T> },
): Promise<Outcome<T> | undefined> {
  const { hub, wire, clock } = context.services;
  const { queue } = poll;
  const { loginEndsAt = Number.POSITIVE_INFINITY } = context;
  // Reading the log refuses a token that has expired in the meantime.
  if (wakeup === 'look again' || clock.now() >= loginEndsAt) return undefined;
  if (wakeup === 'heartbeat' && queue.holder !== hub.id && performance.now() < end) {
    await context.transact('append', async ({ tx }) => {
      if (await tx.queues.hold(queue.id, hub.id)) await tx.events.append([queueHeld(queue.id, hub.id)], clock.now());
    });
    return undefined;
  }
  if (wakeup === 'heartbeat') {
    return { ending: wakeup, id: Math.max(eventId(queue, poll.seq), params.last_event_id) };
  }
  // `poll` has gone on for the newer poll, with events that this client does not get here.
  if (typeof wakeup === 'string') return { ending: 'superseded', id: Math.max(0, params.last_event_id) };
  const { events, organization } = wakeup;
  // Reading the log ends the queue.
  if (events.some((event) => wire.startsOver(event, poll.reader))) return undefined;
  const id = eventId(queue, (events.at(-1) as LoggedEvent).seq);
  if (!events.some((event) => wire.isOpen(event, poll.reader))) {
    return { events: encode(queue, events, poll.reader, organization), id };
  }
  return context.transact('read', async (look) => {
    const complete = await wire.complete(look, look.actor, events);
    return { events: encode(queue, complete, look.actor, look.organization), id };
  });
}

/**
 * Fraction of the heartbeat time after which a poll takes over the queue from another process. A takeover is a write,
 * and a load balancer may spread the polls of a queue over processes. Most polls of a busy queue end before they take
 * over. Until the takeover, the older poll may get the same events.
 */
const TAKEOVER_TIMEOUT_S = 0.1;

/** Checks the role again, because the user may have become a guest after registering. */
function publicFeedOf(queue: EventQueue, actor: Pick<User, 'role'>): PublicFeed {
  if (isGuest(actor)) return 'none';
  return queue.all_public_streams ? 'all' : feedOfNarrow(queue.narrow);
}

/**
 * Reads the log for the queue, and stores that the queue is in use. Uses the current account of the caller: a poll
 * calls this again when the account changes.
 * @param after log position where an earlier look of the same call stopped
 * @param extent `near`: returns undefined without reading if the queue is far behind
 * @returns `searched`: log position up to which it has read; `more`: whether it stopped before the end
 */
async function lookAtLog(
  context: ManualContext<'user'>,
  params: PollParams,
  after: number | undefined,
  extent: Extent,
) {
  const { services } = context;
  const { queue_id: queueId, last_event_id: lastEventId, isUnacknowledged } = params;
  const look = await context.transact(
    'read',
    async (snapshot) => {
      const { tx, actor, organization, usersVersion } = snapshot;
      const [queue, { tail, lostAfter, lostTo }] = await Promise.all([tx.queues.byId(queueId), tx.events.extent()]);
      if (!queue || !ownsQueue(actor, queue)) throw new BadEventQueueId(queueId);
      const acknowledged = seqOf(queue, lastEventId);
      // The client has received events that the database has lost, so it has to register again.
      if (acknowledged > lostAfter && acknowledged <= lostTo) throw new BadEventQueueId(queueId);
      if (acknowledged > tail)
        throw new BadRequest(
          `The queue has no event ${lastEventId} yet. Send the ID of an event that you have received.`,
        );
      const from = Math.max(acknowledged, queue.acked_seq, after ?? 0);
      if (extent === 'near' && tail - from > NEARBY_LOG_POSITIONS) return undefined;
      const publicFeed = publicFeedOf(queue, actor);
      // Reads a long backlog in parts, so that other requests get their turn.
      const toSeq = Math.min(tail, from + LOG_POSITIONS_PER_SEARCH);
      const found =
        from < tail
          ? await tx.events.forUser(actor, from, MAX_EVENTS, { publicFeed, types: queue.event_types, toSeq })
          : { events: [], more: false };
      const last = found.more ? found.events.at(-1) : undefined;
      const accepted = found.events.filter((event) => services.wire.accepts(queue, event, actor, organization));
      if (accepted.some((event) => services.wire.startsOver(event, actor))) throw new BadEventQueueId(queueId);
      const events = await services.wire.complete(snapshot, actor, accepted);
      const searched = last?.seq ?? toSeq;
      // Events that are not for this queue need not be read again, and the log need not keep them.
      const read = events.length > 0 ? Math.max(acknowledged, after ?? 0) : searched;
      const done = isUnacknowledged ? queue.acked_seq : Math.max(queue.acked_seq, read);
      return { actor, organization, usersVersion, queue, done, searched, more: searched < tail, events };
    },
    { extent: extent === 'near' ? undefined : extent },
  );
  if (!look) return undefined;
  const { queue, done } = look;
  return isTouchDue(queue, services.clock.now(), done) ? { ...look, queue: await touch(context, queue, done) } : look;
}

/**
 * Stores that the queue is in use and what its client has acknowledged.
 * @throws BadEventQueueId if the queue has expired: a call that continues in memory has not read it
 */
async function touch(context: ManualContext<'user'>, queue: EventQueue, done: number): Promise<EventQueue> {
  const now = context.services.clock.now();
  const exists = await context.transact('append', ({ tx }) => tx.queues.touch(queue.id, done, now));
  if (!exists) throw new BadEventQueueId(queue.id);
  return { ...queue, acked_seq: done, last_used_ms: now };
}

/** `large` reads wait for their turn and run outside the event loop. */
type Extent = 'near' | 'large';

/** Log positions. A client that polls continuously is only a few positions behind. */
const NEARBY_LOG_POSITIONS = 20;
const LOG_POSITIONS_PER_SEARCH = 5_000;
/** A queue stores its position after this many events at the latest, because queues that are too far behind end. */
const MAX_UNREPORTED_LOG_POSITIONS = 10_000;

/** True after a quarter of the lifespan, at most 150 seconds. Writing on every poll would cost too much. */
function isTouchDue(queue: EventQueue, now: number, done: number): boolean {
  return (
    done - queue.acked_seq > MAX_UNREPORTED_LOG_POSITIONS ||
    now - queue.last_used_ms > Math.min(queue.lifespan * 250, 150_000)
  );
}
