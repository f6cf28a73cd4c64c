import { groupBy } from '../base/group-by.ts';
import type { Organization, Versions } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import { isGuest } from '../rules/roles.ts';
import type { Audience, LoggedEvent } from '../storage/interface/events.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { SubscriptionPeriod } from '../storage/interface/subscriptions.ts';
import type { OrganizationCache } from './organization-cache.ts';

/** A waiting poll or a seat. */
export interface Recipient {
  readonly reader: Pick<User, 'id' | 'role' | 'version'>;
  /** Also wants messages of public channels without a subscription. */
  readonly allPublic: boolean;
  /** The log has been searched up to this position. */
  readonly seq: number;
  accepts(event: LoggedEvent, organization: Organization): boolean;
}

export interface Batch {
  readonly events: readonly LoggedEvent[];
  readonly more: boolean;
  readonly organization: Organization;
  readonly usersVersion: number;
  /** Waiting accounts that have changed since they were authorized: new version by user ID. */
  readonly changed: ReadonlyMap<number, number>;
  /** The waiting users who were subscribed to the channel of each event at that time. */
  readonly members: ReadonlyMap<LoggedEvent, ReadonlySet<number>>;
}

/** Events per batch. Each may be a message of the maximum length. */
const MAX_EVENTS_PER_BATCH = 100;
/** Most subscriptions looked up per batch: waiting users times channels of events. */
const MAX_SUBSCRIPTIONS_PER_LOOKUP = 50_000;

/**
 * Reads the next part of the log for all waiting polls. undefined if there are no events and no account has changed.
 * The number of statements is fixed, and the number of rows depends only on the waiting users.
 * @param usersVersion the version for which all waiting accounts are known to be current
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
  const found = await tx.events.since(position, MAX_EVENTS_PER_BATCH);
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
  const more = found.length === MAX_EVENTS_PER_BATCH || events.length < found.length;
  return { events, more, organization, usersVersion: versions.users_version, changed, members };
}

/** The first events whose channels, times the number of users, stay within `PAIRS`. */
function withinPairs(events: readonly LoggedEvent[], people: number): readonly LoggedEvent[] {
  const channels = new Set<number>();
  const end = events.findIndex(({ audience: { channel } }, at) => {
    if (channel !== undefined) channels.add(channel);
    return at > 0 && channels.size > 1 && channels.size * people > MAX_SUBSCRIPTIONS_PER_LOOKUP;
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
  // Subscriptions rarely change within a batch: users subscribed all the time share one set for all events.
  const always = new Map<number, Set<number>>();
  const some: SubscriptionPeriod[] = [];
  for (const channel of channels) always.set(channel, new Set());
  for (const period of await tx.subscriptions.periodsBetween(userIds, [...channels], position, last)) {
    const { user_id, channel_id, after_seq, to_seq } = period;
    if (after_seq <= position && (to_seq === null || to_seq >= last)) always.get(channel_id)?.add(user_id);
    else some.push(period);
  }
  const partly = groupBy(some, ({ channel_id }) => channel_id);
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

export function deliveriesOf<W extends Recipient>(
  { events, members, organization }: Batch,
  waiting: Iterable<W>,
): Map<W, LoggedEvent[]> {
  const deliveries = new Map<W, LoggedEvent[]>();
  const byUser = groupBy(waiting, ({ reader }) => reader.id);
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
