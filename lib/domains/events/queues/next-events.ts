import { BadEventQueueId, BadRequest } from '../../../base/errors.ts';
import { present } from '../../../base/present.ts';
import { type CompleteEvent, eventId, seqOf } from '../../../events/event-encoder.ts';
import { queueHeld } from '../../../events/queue-notices.ts';
import { type Received, Subscription } from '../../../events/subscription.ts';
import type { Organization } from '../../../model/organization.ts';
import type { User } from '../../../model/users.ts';
import { isGuest } from '../../../rules/roles.ts';
import type { EventQueue, LoggedEvent, PublicFeed } from '../../../storage/interface/events.ts';
import type { ManualContext } from '../../../viewer/context.ts';
import { feedOfNarrow } from '../../messages/queue-narrow.ts';
import { ownsQueue } from './queue-owner.ts';

/** Where a client is in its queue, in event IDs. */
interface QueueProgress {
  readonly queue_id: string;
  /** The client has acknowledged all events up to this one. */
  readonly acknowledged: number;
  /** The server has sent it all events up to this one. A poll acknowledges these. */
  readonly sent: number;
}

/** The parts of a call that the delivery of events uses. Thousands of them wait, so a server makes small ones. */
export type EventCaller = Pick<
  ManualContext<'user'>,
  'services' | 'signal' | 'permit' | 'loginEndsAt' | 'continueAs' | 'transact'
>;

/** Makes the answer of events in their final form. */
export type Encode<T> = (
  queue: EventQueue,
  events: readonly CompleteEvent[],
  reader: User,
  organization: Organization,
) => T;

/** `id` acknowledges everything that was searched. No `events`: the time is over, or a newer reader has the queue. */
interface Next<T> {
  readonly id: number;
  readonly events?: T;
  readonly isSuperseded?: boolean;
}

/**
 * The next events of a queue, or none at the time `until` (as in `performance.now()`). Continues at the open
 * subscription of the queue, without the database. If there is none, it reads the log, which authorizes the caller, and
 * opens one.
 */
export async function nextEvents<T>(
  caller: EventCaller,
  progress: QueueProgress,
  { until, encode }: { until: number; encode: Encode<T> },
): Promise<Next<T>> {
  const { services, signal, permit } = caller;
  const { hub } = services;
  const { queue_id, sent } = progress;
  let subscription = await openSubscription(caller, progress);
  for (;;) {
    const read = subscription ? undefined : await readLog(caller, progress);
    // A client that is gone must not end the wait of its next call.
    if (signal?.aborted) return superseded(progress);
    hub.supersede(queue_id);
    // The hub does not open it if it has read more of the log since, without this user.
    if (read?.isComplete && hub.open(read.subscription)) subscription = read.subscription;
    if (read && read.events.length > 0) return foundInLog(read, encode);
    if (read) permit?.end();
    if (!subscription) continue;
    const { queue } = subscription;
    const milliseconds = patienceFor(caller, queue, until);
    const received = await subscription.next(seqOf(queue, sent), { milliseconds, signal });
    const next = await nextOf(caller, progress, subscription, { received, until, encode });
    if (next) return next;
    subscription = undefined;
  }
}

/** The events that the log has for the queue now. Undefined without any. */
export async function eventsInLog<T>(
  caller: EventCaller,
  progress: QueueProgress,
  encode: Encode<T>,
): Promise<T | undefined> {
  const read = await readLog(caller, progress);
  caller.services.hub.supersede(progress.queue_id);
  return read.events.length > 0 ? foundInLog(read, encode).events : undefined;
}

function foundInLog<T>({ subscription, events, organization }: LogRead, encode: Encode<T>): Next<T> {
  const { queue, reader } = subscription;
  return { events: encode(queue, events, reader, organization), id: lastId(queue, events) };
}

const lastId = (queue: EventQueue, events: readonly LoggedEvent[]) => eventId(queue, present(events.at(-1)).seq);

const superseded = ({ sent }: QueueProgress) => ({ isSuperseded: true, id: Math.max(0, sent) });

/** Undefined if the caller has to read the log. */
async function openSubscription(
  caller: EventCaller,
  { queue_id, acknowledged, sent }: QueueProgress,
): Promise<Subscription | undefined> {
  const subscription = caller.services.hub.find(queue_id);
  if (!subscription?.continuesAt(seqOf(subscription.queue, sent))) return undefined;
  if (!caller.continueAs(subscription.reader)) return undefined;
  const { queue } = subscription;
  subscription.queue = await touched(caller, queue, seqOf(queue, acknowledged));
  return subscription;
}

/**
 * Milliseconds that a reader waits, at most until the caller's token expires. If another process may serve the queue,
 * it wakes early to take the queue over.
 */
function patienceFor({ services, loginEndsAt }: EventCaller, { holder }: EventQueue, until: number): number {
  const { hub, options, clock } = services;
  const untilExpiry = loginEndsAt === undefined ? Number.POSITIVE_INFINITY : loginEndsAt - clock.now();
  const rest = Math.max(0, Math.min(until - performance.now(), untilExpiry));
  return holder === hub.id ? rest : Math.min(rest, options.heartbeatSeconds * 1000 * TAKEOVER_TIMEOUT_S);
}

/** Undefined if the caller has to read the log. */
async function nextOf<T>(
  caller: EventCaller,
  progress: QueueProgress,
  { queue, reader, seq }: Subscription,
  { received, until, encode }: { received: Received; until: number; encode: Encode<T> },
): Promise<Next<T> | undefined> {
  const { hub, wire, clock } = caller.services;
  const { loginEndsAt = Number.POSITIVE_INFINITY } = caller;
  // Reading the log refuses a token that has expired in the meantime.
  if (received === 'closed' || clock.now() >= loginEndsAt) return undefined;
  if (received === 'heartbeat' && queue.holder !== hub.id && performance.now() < until) {
    await caller.transact('append', async ({ tx }) => {
      if (await tx.queues.hold(queue.id, hub.id)) await tx.events.append([queueHeld(queue.id, hub.id)], clock.now());
    });
    return undefined;
  }
  if (received === 'heartbeat') return { id: Math.max(eventId(queue, seq), progress.sent) };
  // The subscription has gone on for the newer reader, with events that this client does not get here.
  if (received === 'superseded') return superseded(progress);
  const { events, organization } = received;
  // Reading the log ends the queue.
  if (events.some((event) => wire.startsOver(event, reader))) return undefined;
  const id = lastId(queue, events);
  if (!events.some((event) => wire.isOpen(event, reader))) {
    return { events: encode(queue, events, reader, organization), id };
  }
  return caller.transact('read', async (look) => {
    const complete = await wire.complete(look, look.actor, events);
    return { events: encode(queue, complete, look.actor, look.organization), id };
  });
}

/**
 * Fraction of the heartbeat time after which a reader takes over the queue from another process. A takeover is a write,
 * and a load balancer may spread the polls of a queue over processes. Most polls of a busy queue end before they take
 * over. Until the takeover, the older poll may get the same events.
 */
const TAKEOVER_TIMEOUT_S = 0.1;

/** Checks the role again, because the user may have become a guest after registering. */
function publicFeedOf(queue: EventQueue, actor: Pick<User, 'role'>): PublicFeed {
  if (isGuest(actor)) return 'none';
  return queue.all_public_streams ? 'all' : feedOfNarrow(queue.narrow);
}

interface LogRead {
  readonly subscription: Subscription;
  readonly organization: Organization;
  readonly events: readonly CompleteEvent[];
  /** Whether it has read to the end of the log. */
  readonly isComplete: boolean;
}

/** Reads the log until there are events for the queue, or to its end. */
async function readLog(caller: EventCaller, progress: QueueProgress): Promise<LogRead> {
  const { hub, wire } = caller.services;
  let extent: Extent = 'near';
  for (let after: number | undefined; ; ) {
    const { commitCount } = hub;
    const look = await lookAtLog(caller, progress, after, extent);
    if (!look) {
      // The backlog of a queue that was not polled for long can be megabytes.
      await caller.permit?.begin();
      extent = 'large';
      continue;
    }
    const { queue, reader, seq, events, isComplete } = look;
    after = seq;
    if (events.length === 0 && !isComplete) continue;
    const last = events.at(-1)?.seq ?? seqOf(queue, progress.sent);
    const accepts: Subscription['accepts'] = (event, organization) => wire.accepts(queue, event, reader, organization);
    const publicFeed = publicFeedOf(queue, reader);
    const subscription = new Subscription({ ...look, last, commitCount, publicFeed, accepts });
    return { ...look, subscription };
  }
}

/**
 * Reads the log for the queue, and stores that the queue is in use. Uses the current account of the caller: a call reads
 * the log again when the account changes.
 * @param after log position where an earlier look of the same read stopped
 * @param extent `near`: returns undefined without reading if the queue is far behind
 * @returns `seq`: log position up to which it has read
 */
async function lookAtLog(
  caller: EventCaller,
  { queue_id, acknowledged, sent }: QueueProgress,
  after: number | undefined,
  extent: Extent,
) {
  const { services } = caller;
  const look = await caller.transact(
    'read',
    async (snapshot) => {
      const { tx, actor, organization, usersVersion } = snapshot;
      const [queue, { tail, lostAfter, lostTo }] = await Promise.all([tx.queues.byId(queue_id), tx.events.extent()]);
      if (!queue || !ownsQueue(actor, queue)) throw new BadEventQueueId(queue_id);
      const sentSeq = seqOf(queue, sent);
      // The client has received events that the database has lost, so it has to register again.
      if (sentSeq > lostAfter && sentSeq <= lostTo) throw new BadEventQueueId(queue_id);
      if (sentSeq > tail)
        throw new BadRequest(`The queue has no event ${sent} yet. Send the ID of an event that you have received.`);
      const from = Math.max(sentSeq, queue.acked_seq, after ?? 0);
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
      if (accepted.some((event) => services.wire.startsOver(event, actor))) throw new BadEventQueueId(queue_id);
      const events = await services.wire.complete(snapshot, actor, accepted);
      const seq = last?.seq ?? toSeq;
      // Events that are not for this queue need not be read again, and the log need not keep them.
      const read = events.length > 0 ? Math.max(sentSeq, after ?? 0) : seq;
      const done = sent > acknowledged ? seqOf(queue, acknowledged) : read;
      return { queue, reader: actor, organization, usersVersion, seq, done, isComplete: seq >= tail, events };
    },
    { extent: extent === 'near' ? undefined : extent },
  );
  return look && { ...look, queue: await touched(caller, look.queue, look.done) };
}

/**
 * Stores, from time to time, that the queue is in use and what its client has acknowledged.
 * @throws BadEventQueueId if the queue has expired: a call that continues in memory has not read it
 */
async function touched(caller: EventCaller, queue: EventQueue, acknowledged: number): Promise<EventQueue> {
  const now = caller.services.clock.now();
  const done = Math.max(queue.acked_seq, acknowledged);
  if (!isTouchDue(queue, now, done)) return queue;
  const exists = await caller.transact('append', ({ tx }) => tx.queues.touch(queue.id, done, now));
  if (!exists) throw new BadEventQueueId(queue.id);
  return { ...queue, acked_seq: done, last_used_ms: now };
}

/** `large` reads wait for their turn and run outside the event loop. */
type Extent = 'near' | 'large';

/** Events per response. A response also ends after about 10 MB. The next call returns the rest. */
const MAX_EVENTS = 1_000;
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
