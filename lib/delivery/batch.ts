import type { OrganizationCache } from '../caches/organization-cache.ts';
import { isGuest } from '../rules/roles.ts';
import type { Audience, LoggedEvent } from '../storage/interface/event-log.ts';
import type { Organization, Versions } from '../storage/interface/organization.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { SubscriptionPeriod } from '../storage/interface/subscriptions.ts';
import type { User } from '../storage/interface/users.ts';

/** Whoever may be given a part of the log. */
export interface Recipient {
  /** The account that was let in. */
  readonly reader: Pick<User, 'id' | 'role' | 'version'>;
  /** Also wants the messages of public channels it is not subscribed to. */
  readonly allPublic: boolean;
  /** The log has been searched for it up to here. */
  readonly seq: number;
  accepts(event: LoggedEvent, organization: Organization): boolean;
}

/** A new part of the log, with what tells whether those waiting may still have it. */
export interface Batch {
  readonly events: readonly LoggedEvent[];
  /** The log goes on behind it, or may. */
  readonly more: boolean;
  readonly organization: Organization;
  readonly usersVersion: number;
  /** Versions of those accounts among the waiting that have changed since they were let in, by id. */
  readonly changed: ReadonlyMap<number, number>;
  /** Which of the waiting users were subscribed to the channel of each event when it happened. */
  readonly members: ReadonlyMap<LoggedEvent, ReadonlySet<number>>;
}

/** How many events are read at once, each of which may be a message of the greatest length. */
const EVENTS = 100;
/** How many subscriptions are looked for at once, most of which there may be: people who wait by channels of events. */
const PAIRS = 50_000;

/**
 * Reads what follows a place of the log, for all who wait; undefined where nothing does and no account has changed. The statements are the
 * same however many events there are, and their rows as many as those who wait give rise to.
 * @param usersVersion the accounts of all who wait are as they were then
 */
export async function readBatch(
  tx: Transaction,
  waiting: Iterable<Recipient>,
  {
    position,
    usersVersion,
    organizations,
  }: { position: number; usersVersion: number; organizations: OrganizationCache },
): Promise<Batch | undefined> {
  const found = await tx.events.since(position, EVENTS);
  const versions = (await tx.organization.versions()) as Versions;
  if (found.length === 0 && versions.users_version <= usersVersion) return undefined;
  const organization = await organizations.of(tx, versions);
  const ids = new Set<number>();
  for (const { reader } of waiting) ids.add(reader.id);
  const userIds = [...ids];
  const changed = new Map<number, number>();
  if (versions.users_version > usersVersion) {
    for (const { id, version } of await tx.users.changedAmong(userIds, usersVersion)) changed.set(id, version);
  }
  const events = withinPairs(found, userIds.length);
  const members = await membersOf(tx, events, position, userIds);
  const more = found.length === EVENTS || events.length < found.length;
  return { events, more, organization, usersVersion: versions.users_version, changed, members };
}

/** As many events from the first on as have no more channels than may be looked at for so many people. */
function withinPairs(events: readonly LoggedEvent[], people: number): readonly LoggedEvent[] {
  const channels = new Set<number>();
  const end = events.findIndex(({ audience: { channel } }, at) => {
    if (channel !== undefined) channels.add(channel);
    return at > 0 && channels.size > 1 && channels.size * people > PAIRS;
  });
  return end === -1 ? events : events.slice(0, end);
}

async function membersOf(
  tx: Transaction,
  events: readonly LoggedEvent[],
  position: number,
  userIds: readonly number[],
): Promise<Batch['members']> {
  const members = new Map<LoggedEvent, ReadonlySet<number>>();
  const channels = new Set<number>();
  for (const { audience } of events) if (audience.channel !== undefined) channels.add(audience.channel);
  if (channels.size === 0) return members;
  const last = (events.at(-1) as LoggedEvent).seq;
  // Hardly anybody comes or leaves between the events of a batch: who was there all along is one set for all of them.
  const always = new Map<number, Set<number>>();
  const partly = new Map<number, SubscriptionPeriod[]>();
  for (const channel of channels) always.set(channel, new Set());
  for (const period of await tx.subscriptions.periodsBetween(userIds, [...channels], position, last)) {
    const { user_id, channel_id, after_seq, to_seq } = period;
    if (after_seq <= position && (to_seq === null || to_seq >= last)) always.get(channel_id)?.add(user_id);
    else addTo(partly, channel_id, period);
  }
  for (const event of events) {
    const channel = event.audience.channel;
    if (channel === undefined) continue;
    const whole = always.get(channel) as Set<number>;
    const others = (partly.get(channel) ?? []).filter((period) => covers(period, event.seq));
    members.set(event, others.length === 0 ? whole : new Set([...whole, ...others.map(({ user_id }) => user_id)]));
  }
  return members;
}

const covers = ({ after_seq, to_seq }: SubscriptionPeriod, seq: number) =>
  after_seq < seq && (to_seq === null || to_seq >= seq);

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** What each of those waiting receives of these events, in their order; whoever receives nothing is not in it. */
export function deliveriesOf<W extends Recipient>(
  { events, members, organization }: Batch,
  waiting: Iterable<W>,
): Map<W, LoggedEvent[]> {
  const deliveries = new Map<W, LoggedEvent[]>();
  const byUser = new Map<number, W[]>();
  for (const waiter of waiting) addTo(byUser, waiter.reader.id, waiter);
  for (const event of events) {
    const { scope, users, except } = event.audience;
    const left = except && new Set(except);
    const deliver = (waiter: W) => {
      if (event.seq <= waiter.seq || left?.has(waiter.reader.id)) return;
      if (!waiter.accepts(event, organization)) return;
      const delivery = deliveries.get(waiter);
      if (!delivery) deliveries.set(waiter, [event]);
      else if (delivery.at(-1) !== event) delivery.push(event);
    };
    if (scope) {
      for (const waiters of byUser.values())
        for (const waiter of waiters) if (isInScope(waiter, scope)) deliver(waiter);
    }
    for (const group of [members.get(event), users]) {
      if (group) for (const userId of group) for (const waiter of byUser.get(userId) ?? []) deliver(waiter);
    }
  }
  return deliveries;
}

function isInScope(waiter: Recipient, scope: NonNullable<Audience['scope']>): boolean {
  return scope === 'everyone' || (scope === 'members' ? !isGuest(waiter.reader) : waiter.allPublic);
}
