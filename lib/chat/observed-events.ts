import { queueNotice } from '../delivery/queue-notices.ts';
import { wholeView } from '../delivery/whole-view.ts';
import type { CompleteEvent } from '../delivery/wire.ts';
import type { Engine } from '../kernel/engine.ts';
import type { ChatEvent, EventType } from '../kernel/session.ts';
import { OWNER } from '../rules/roles.ts';
import type { Audience, DatedEvent } from '../storage/interface/event-log.ts';
import type { Organization, Versions } from '../storage/interface/organization.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { User } from '../storage/interface/users.ts';

/** Something that happened in the organization, whoever was told of it. */
export interface ObservedEvent<T extends EventType = EventType> {
  /** Its place in the log: rises, with gaps, and is what `after` takes. */
  position: number;
  /** When it was committed, milliseconds since the epoch. */
  timestamp_ms: number;
  /**
   * As a client of an owner receives it that understands everything, with nothing of it that is one reader's own:
   * `flags` of a message are those that everybody has. What is told to one account alone is as that account has it.
   */
  event: Extract<ChatEvent, { type: T }>;
  /** Whom it was for: the union of these, without `except_user_ids`. */
  audience: {
    /** `everyone`: all accounts; `members`: all but guests; `public`: clients that asked for all public channels. */
    scope?: 'everyone' | 'members' | 'public';
    /** Everybody who was subscribed to this channel. */
    channel_id?: number;
    /** These accounts. */
    user_ids?: readonly number[];
    /** Accounts that it was not for, whatever the others say. */
    except_user_ids?: readonly number[];
  };
}

/** Which events, and in what form. */
export interface ObserveOptions<T extends EventType = EventType> {
  /** Only these types; all when absent. */
  event_types?: readonly T[];
  /** Message contents as HTML. Default false: as they were written. */
  apply_markdown?: boolean;
}

/** Events are missing: they were removed from the log before they could be read. */
export class EventGap extends Error {
  /** The last place that was read before it. */
  readonly after: number;
  /** The first event that is there stands behind this place: go on with it as `after`. */
  readonly resumes_after: number;

  constructor(after: number, resumesAfter: number) {
    super(
      `The events behind ${after} and up to ${resumesAfter} are in the log no more: whoever reads them fell too far behind.`,
    );
    this.name = 'EventGap';
    this.after = after;
    this.resumes_after = resumesAfter;
  }
}

export interface ObservedBatch {
  events: ObservedEvent[];
  /** Everything up to here is in it, what was not asked for included. */
  position: number;
  more: boolean;
  gap?: EventGap;
}

/** Events read at once, each of which may be a message of the greatest length. */
const PAGE = 100;

/** Who looks on is no account. */
const OBSERVER = { id: 0, role: OWNER };

/** What follows a place of the log, or that something is missing behind it. */
export function readObserved(engine: Engine, after: number, options: ObserveOptions): Promise<ObservedBatch> {
  return engine.storage.read(async (tx) => {
    const logged = await tx.events.datedSince(after, PAGE);
    const last = logged.at(-1);
    if (!last) return { events: [], position: after, more: false };
    const trimmedTo = await tx.events.trimmedTo();
    if (trimmedTo > after) {
      return { events: [], position: trimmedTo, more: true, gap: new EventGap(after, trimmedTo) };
    }
    const organization = await engine.hub.organizations.of(tx, (await tx.organization.versions()) as Versions);
    const wanted = logged.filter((one) => isWanted(one, options.event_types));
    const events = organization ? await shown(engine, tx, organization, wanted, options) : [];
    return { events, position: last.seq, more: logged.length === PAGE };
  });
}

function isWanted(logged: DatedEvent, types: readonly string[] | undefined): boolean {
  return queueNotice(logged) === undefined && (types === undefined || types.includes(logged.event.type));
}

async function shown(
  { wire, hub, clock }: Engine,
  tx: Transaction,
  organization: Organization,
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

  /** With what the log leaves open, which is looked up for each of these few. */
  async function completed(one: DatedEvent): Promise<CompleteEvent> {
    const { lookUp } = wire.declarationOf(one.event);
    if (!lookUp) return one;
    const own: Record<string, unknown> = lookUp.flagsOf ? { flags: [] } : {};
    const owner = owners.get(one.audience.users?.[0] ?? 0);
    if (lookUp.forReader && owner) {
      Object.assign(own, await lookUp.forReader({ tx, organization, now: clock.now() }, owner));
    }
    if (one.movedBy !== undefined) own[lookUp.movedMessages ?? 'message_ids'] = await hub.moved.of(tx, one.movedBy);
    return { ...one, own };
  }
}

/** Whose own the events are, by id. */
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
