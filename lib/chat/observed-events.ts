import { present } from '../base/present.ts';
import type { Engine } from '../engine/engine.ts';
import { wholeView } from '../events/client.ts';
import { decisionIn } from '../events/decisions.ts';
import type { CompleteEvent } from '../events/event-encoder.ts';
import { queueNotice } from '../events/queue-notices.ts';
import type { Organization } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import { OWNER } from '../rules/roles.ts';
import type { Audience, DatedEvent } from '../storage/interface/events.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { ChatEvent, EventType } from './session.ts';

/** An event of the organization, for any recipient. */
export interface ObservedEvent<T extends EventType = EventType> {
  /** Position in the log: increasing, with gaps. Pass it as `after` to continue behind this event. */
  position: number;
  /** Time of the commit in milliseconds since the epoch. */
  timestamp_ms: number;
  /**
   * The event as the client of an owner with all capabilities receives it, without data of a single reader. `flags` of
   * a message are those that all readers have. Events for one user only are as this user receives them.
   */
  event: Extract<ChatEvent, { type: T }>;
  /** Recipients: the union of these fields, without `except_user_ids`. */
  audience: {
    /** `everyone`: all accounts; `members`: all but guests; `public`: clients that asked for all public channels. */
    scope?: 'everyone' | 'members' | 'public';
    /** All subscribers of this channel at that time. */
    channel_id?: number;
    /** These accounts. */
    user_ids?: readonly number[];
    /** Not these accounts, even if another field includes them. */
    except_user_ids?: readonly number[];
  };
}

/** Filter and format of events. */
export interface ObserveOptions<T extends EventType = EventType> {
  /** Only events of these types. Default: all types. */
  event_types?: readonly T[];
  /** Whether message contents are HTML. Default false: Markdown. */
  apply_markdown?: boolean;
}

/** Events are missing: they were removed from the log before they were read. */
export class EventGap extends Error {
  constructor(
    /** The last position that was read. */
    readonly after: number,
    /** Pass this position as `after` to continue with the oldest event in the log. */
    readonly resumes_after: number,
  ) {
    super(
      `The events after ${after} up to ${resumes_after} are no longer in the log: the reader was too far behind. ` +
        `Continue after ${resumes_after}.`,
    );
    this.name = 'EventGap';
  }
}

/** What a listener gets: it has a position in the log. */
export interface Positioned {
  readonly position: number;
}

export interface LogBatch<E extends Positioned> {
  /** In order. Several can have the same position. */
  events: E[];
  /** Last position that was read, including events that do not match the filter. */
  position: number;
  more: boolean;
  gap?: EventGap;
}

/** Events per read. Each may be a message of the maximum length. */
const EVENTS_PER_READ = 100;

/** Observers are not an account. They see events as an owner does. */
const OBSERVER = { id: 0, role: OWNER, settings: {} };

/** Reads the log after a position, or finds that events after it are missing. @param show what the reader gets of it */
export function readLog<E extends Positioned>(
  engine: Engine,
  after: number,
  show: (context: { tx: Transaction; organization: Organization }, logged: readonly DatedEvent[]) => Promise<E[]>,
): Promise<LogBatch<E>> {
  return engine.storage.read(async (tx) => {
    const logged = await tx.events.since(after, EVENTS_PER_READ);
    const last = logged.at(-1);
    if (!last) return { events: [], position: after, more: false };
    const trimmedTo = await tx.events.trimmedTo();
    if (trimmedTo > after) {
      return { events: [], position: trimmedTo, more: true, gap: new EventGap(after, trimmedTo) };
    }
    const organization = await engine.hub.organizations.of(tx, present(await tx.organization.versions()));
    const events = organization ? await show({ tx, organization }, logged) : [];
    return { events, position: last.seq, more: logged.length === EVENTS_PER_READ };
  });
}

/** Reads the events that match the filter. */
export const readObserved = (engine: Engine, after: number, options: ObserveOptions) =>
  readLog(engine, after, (context, logged) =>
    shown(
      engine,
      context,
      logged.filter((one) => isWanted(one, options.event_types)),
      options,
    ),
  );

function isWanted(logged: DatedEvent, types: readonly string[] | undefined): boolean {
  if (queueNotice(logged) || decisionIn(logged)) return false;
  return types === undefined || types.includes(logged.event.type);
}

async function shown(
  { wire, clock }: Engine,
  { tx, organization }: { tx: Transaction; organization: Organization },
  logged: readonly DatedEvent[],
  { apply_markdown = false }: ObserveOptions,
): Promise<ObservedEvent[]> {
  const queue = wholeView(OBSERVER.id, { apply_markdown });
  const accepted = logged.filter((one) => wire.accepts(queue, one, OBSERVER, organization));
  const owners = await ownersOf(tx, accepted.filter(isOwn));
  const events: ObservedEvent[] = [];
  for (const one of accepted) {
    const complete = await completed(one);
    for (const { id, ...event } of wire.eventsFor(queue, complete, OBSERVER, organization)) {
      if (event.type === 'heartbeat') continue;
      const { seq: position, created_ms: timestamp_ms } = one;
      events.push({
        position,
        timestamp_ms,
        event: event as unknown as ChatEvent,
        audience: shownAudience(one.audience),
      } as ObservedEvent);
    }
  }
  return events;

  function isOwn({ event }: DatedEvent): boolean {
    return wire.declarationOf(event).lookUp?.forReader !== undefined;
  }

  /** Adds the fields that are not in the log and are looked up on delivery. */
  async function completed(one: DatedEvent): Promise<CompleteEvent> {
    const { lookUp } = wire.declarationOf(one.event);
    if (!lookUp) return one;
    const own: Record<string, unknown> = lookUp.flagsOf ? { flags: [] } : {};
    const owner = owners.get(one.audience.users?.[0] ?? 0);
    if (lookUp.forReader && owner) {
      Object.assign(own, await lookUp.forReader({ tx, organization, now: clock.now() }, owner));
    }
    if (one.movedBy !== undefined) {
      own[lookUp.movedMessages ?? 'message_ids'] = await tx.edits.messagesMoved(one.movedBy);
    }
    return { ...one, own };
  }
}

/** The users of events for one user, by ID. */
async function ownersOf(tx: Transaction, events: readonly DatedEvent[]): Promise<Map<number, User>> {
  const ids = new Set(events.flatMap(({ audience }) => audience.users?.slice(0, 1) ?? []));
  const users = ids.size > 0 ? await tx.users.byIds([...ids]) : [];
  return new Map(users.map((user) => [user.id, user]));
}

function shownAudience({ scope, channel, users, except }: Audience): ObservedEvent['audience'] {
  return {
    ...(scope === undefined ? {} : { scope }),
    ...(channel === undefined ? {} : { channel_id: channel }),
    ...(users === undefined ? {} : { user_ids: users }),
    ...(except === undefined ? {} : { except_user_ids: except }),
  };
}
