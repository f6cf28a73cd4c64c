import { groupBy } from '../base/lists.ts';
import { present } from '../base/present.ts';
import type { Organization, Versions } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import { isGuest } from '../rules/roles.ts';
import type { SubscriptionPeriod } from '../storage/interface/channels.ts';
import type { LoggedEvent, PublicFeed } from '../storage/interface/events.ts';
import type { Transaction } from '../storage/interface/storage.ts';

/** The organization, as `OrganizationCache` of the engine knows it. */
export interface Organizations {
  of(tx: Transaction, versions: Pick<Versions, 'version'>): Promise<Organization>;
  readonly newest: Organization | undefined;
  update(organization: Organization): void;
}

/** A queue to which events are delivered. */
export interface Recipient {
  readonly reader: User;
  readonly publicFeed: PublicFeed;
  /** The log has been searched up to this position. */
  readonly seq: number;
  accepts(event: LoggedEvent, organization: Organization): boolean;
}

export interface Batch {
  readonly events: readonly LoggedEvent[];
  /** UTF-16 code units of the JSON of the events. */
  readonly size: number;
  /** The log has later events. */
  readonly more: boolean;
  /** When the newest event was appended, in milliseconds since the epoch. */
  readonly appendedMs: number;
  readonly organization: Organization;
  readonly usersVersion: number;
  /** Accounts of subscriptions that have changed since they were authorized: new version by user ID. */
  readonly changed: ReadonlyMap<number, number>;
  /** Periods in which these users were subscribed to the channels of the events, by channel. */
  readonly periods: ReadonlyMap<number, readonly SubscriptionPeriod[]>;
}

const MAX_EVENTS_PER_BATCH = 1_000;
/** Fewer if events like those of the previous batch would be larger, in UTF-16 code units of JSON. */
const MAX_BATCH_SIZE = 2_000_000;
const LEAST_EVENTS_PER_BATCH = 100;
/** Most subscriptions looked up per batch: users times channels of events. */
const MAX_SUBSCRIPTIONS_PER_LOOKUP = 50_000;

/**
 * Reads the next part of the log for all subscriptions. undefined if there are no events and no account has changed.
 * The number of statements is fixed, and the number of rows depends only on their users.
 * @param usersVersion the version for which all these accounts are known to be current
 * @param eventSize average size of the events of the previous batch
 */
export async function readBatch(
  tx: Transaction,
  userIds: readonly number[],
  organizations: Organizations,
  { position, usersVersion, eventSize }: { position: number; usersVersion: number; eventSize: number },
): Promise<Batch | undefined> {
  const wanted = Math.floor(MAX_BATCH_SIZE / Math.max(1, eventSize));
  const limit = Math.min(MAX_EVENTS_PER_BATCH, Math.max(LEAST_EVENTS_PER_BATCH, wanted));
  const found = await tx.events.since(position, limit);
  const versions = present(await tx.organization.versions());
  if (found.length === 0 && versions.users_version <= usersVersion) return undefined;
  const organization = await organizations.of(tx, versions);
  const isChange = versions.users_version > usersVersion;
  const changes = isChange ? await tx.users.changedAmong(userIds, usersVersion) : [];
  const changed = new Map(changes.map(({ id, version }) => [id, version]));
  const events = withinPairs(found, userIds.length);
  const channels = new Set(events.flatMap(({ audience: { channel } }) => channel ?? []));
  const last = events.at(-1)?.seq ?? position;
  const subscriptions =
    channels.size > 0 ? await tx.subscriptions.periodsBetween(userIds, [...channels], position, last) : [];
  const periods = groupBy(subscriptions, ({ channel_id }) => channel_id);
  const size = events.reduce((sum, event) => sum + event.size, 0);
  const more = found.length === limit || events.length < found.length;
  return {
    events,
    size,
    appendedMs: found.at(events.length - 1)?.created_ms ?? 0,
    more,
    organization,
    usersVersion: versions.users_version,
    changed,
    periods,
  };
}

/** The first events whose channels, times the number of users, stay within the limit. */
function withinPairs<E extends LoggedEvent>(events: readonly E[], people: number): readonly E[] {
  const channels = new Set<number>();
  const end = events.findIndex(({ audience: { channel } }, at) => {
    if (channel !== undefined) channels.add(channel);
    return at > 0 && channels.size > 1 && channels.size * people > MAX_SUBSCRIPTIONS_PER_LOOKUP;
  });
  return end === -1 ? events : events.slice(0, end);
}

const covers = ({ after_seq, to_seq }: SubscriptionPeriod, seq: number) =>
  after_seq < seq && (to_seq === null || to_seq >= seq);

/** The events of the batch for each recipient, in order. Recipients without events are absent. */
export function deliveriesOf<R extends Recipient>({ events, periods, organization }: Batch, recipients: readonly R[]) {
  const deliveries = new Map<R, LoggedEvent[]>();
  const byUser = groupBy(recipients, ({ reader }) => reader.id);
  const byFeed = groupBy(recipients, ({ publicFeed }) => publicFeed);
  for (const event of events) {
    const { scope, channel, users = [], except = [] } = event.audience;
    const left = new Set(except);
    const deliver = (recipient: R) => {
      const { seq, reader } = recipient;
      if (event.seq <= seq || left.has(reader.id) || !recipient.accepts(event, organization)) return;
      const delivery = deliveries.get(recipient);
      if (!delivery) deliveries.set(recipient, [event]);
      else if (delivery.at(-1) !== event) delivery.push(event);
    };
    if (scope === 'public') {
      byFeed.get('all')?.forEach(deliver);
      if (channel !== undefined) byFeed.get(channel)?.forEach(deliver);
    } else if (scope === 'everyone') recipients.forEach(deliver);
    else if (scope === 'members')
      for (const recipient of recipients) if (!isGuest(recipient.reader)) deliver(recipient);
    const subscribed = channel === undefined ? [] : (periods.get(channel) ?? []);
    for (const period of subscribed) if (covers(period, event.seq)) byUser.get(period.user_id)?.forEach(deliver);
    for (const userId of users) byUser.get(userId)?.forEach(deliver);
  }
  return deliveries;
}

/** Of all batches that stay in memory, in UTF-16 code units of JSON. */
const MAX_RECENT_SIZE = 8_000_000;

/** The newest part of the log: the batches for the subscriptions, oldest first and without gaps. */
export class RecentLog {
  readonly #batches: { after: number; batch: Batch; readAt: number }[] = [];
  #size = 0;

  /**
   * @param position log position up to which the batches reach
   * @param usersVersion all accounts of the subscriptions are current up to this version
   */
  constructor(
    public position: number,
    public usersVersion: number,
  ) {}

  /** Average size of the events of the newest batch. The largest size before there is one. */
  get eventSize(): number {
    const { size = 0, events = [] } = this.#batches.at(-1)?.batch ?? {};
    return events.length > 0 ? size / events.length : MAX_RECENT_SIZE;
  }

  hasAllAfter(seq: number): boolean {
    return seq >= (this.#batches[0]?.after ?? this.position);
  }

  /** Adds the next batch. Drops old ones: those before `oldest`, and the oldest ones if all are too large. */
  add(batch: Batch, { readAt, oldest }: { readAt: number; oldest: number }): void {
    this.#batches.push({ after: this.position, batch, readAt });
    this.#size += batch.size;
    this.position = batch.events.at(-1)?.seq ?? this.position;
    this.usersVersion = Math.max(this.usersVersion, batch.usersVersion);
    for (let [first] = this.#batches; first && first.batch !== batch; [first] = this.#batches) {
      if (this.#size <= MAX_RECENT_SIZE && first.readAt >= oldest) return;
      this.#size -= first.batch.size;
      this.#batches.shift();
    }
  }

  /** The events after the position of the recipient. */
  eventsFor(recipient: Recipient): LoggedEvent[] {
    let first = this.#batches.length;
    for (let end = this.position; first > 0 && end > recipient.seq; end = this.#batches[first]?.after ?? 0) first--;
    return this.#batches.slice(first).flatMap(({ batch }) => deliveriesOf(batch, [recipient]).get(recipient) ?? []);
  }
}
