import { usersWithMetadataAccess } from '../../access/channels.ts';
import type { Delivery, WriteContext } from '../../access/context.ts';
import {
  type ContactPair,
  emitVisibility,
  restrictedGuests,
  type Visibility,
  visibilityBefore,
} from '../../access/user-visibility.ts';
import { inactiveUserIds } from '../../access/users.ts';
import { BadRequest } from '../../base/errors.ts';
import { groupBy } from '../../base/group-by.ts';
import { either, id, list, optional, text } from '../../base/schemas.ts';
import type { Channel } from '../../model/channels.ts';
import type { User } from '../../model/users.ts';
import { isAdministrator, isGuest } from '../../rules/roles.ts';
import type { Subscription } from '../../storage/interface/subscriptions.ts';
import { emitReadAfterLeaving } from '../messages/flags/deferred-read-events.ts';
import { emitUserTopicsIn } from '../messages/user-topics/events.ts';
import {
  batchEvents,
  channelCreated,
  channelView,
  emitChannelsDeleted,
  onlyIfShown,
  personalProperties,
  subscriptionView,
} from './channel-view.ts';
import { channelColor } from './colors.ts';
import {
  ascending,
  emitPeers,
  peerAudiences,
  peersSubscribed,
  peersUnsubscribed,
  subscribed,
  unsubscribed,
} from './subscriptions/events.ts';

export const principalsParam = optional(
  either([list(id), list(text())], 'must be a list of user IDs or a list of e-mail addresses'),
  'User IDs (preferred) or e-mail addresses. Default: you.',
);

/** Limit of channels times users per request. Other requests wait for the changes, and each pair may be an event. */
export const MAX_PAIRS = 10_000;

export function checkPairs(channels: readonly unknown[], users: readonly unknown[] = []): void {
  // Without users, the request is for the caller.
  const people = Math.max(1, users.length);
  const pairs = channels.length * people;
  if (pairs <= MAX_PAIRS) return;
  throw new BadRequest(
    `${channels.length} channels for ${people === 1 ? 'one user' : `${people} users`} are ${pairs} subscriptions. One request can change at most ${MAX_PAIRS}. Send several requests.`,
  );
}

/** Subscriber IDs in the response or events of one request: about 10 MB. */
const MAX_NAMED = 1_500_000;

/** @throws BadRequest if the channels have more subscribers in total than one request can list */
export function checkNamedSubscribers(channels: readonly Channel[], instead: string): void {
  const named = channels.reduce((sum, channel) => sum + channel.subscriber_count, 0);
  if (named <= MAX_NAMED) return;
  throw new BadRequest(
    `These ${channels.length} channels have ${named} subscribers in total. One request can list at most ${MAX_NAMED}. ${instead}`,
  );
}

/** IDs of the channels whose subscribers fit into one response, smallest channels first. */
export function namedInFull(channels: readonly Pick<Channel, 'id' | 'subscriber_count'>[]): Set<number> {
  const bySize = [...channels].sort((a, b) => a.subscriber_count - b.subscriber_count);
  const named = new Set<number>();
  let room = MAX_NAMED;
  for (const { id, subscriber_count } of bySize) {
    room -= subscriber_count;
    if (room < 0) break;
    named.add(id);
  }
  return named;
}

/** New subscriptions whose events are not sent yet. */
export interface NewSubscriptions {
  channels: readonly Channel[];
  added: readonly Subscription[];
  /** By channel ID, without channels that have no new subscribers. */
  newcomers: ReadonlyMap<number, User[]>;
  before: Visibility | undefined;
}

/** Subscribes users to channels and sends the events. The caller has checked permissions. Returns the newcomers. */
export async function subscribe(context: WriteContext, channels: readonly Channel[], users: readonly User[]) {
  const subscriptions = await addSubscriptions(context, channels, users);
  await emitNewSubscriptions(context, subscriptions);
  return subscriptions.newcomers;
}

/** Subscribes users to channels. The caller has checked permissions and sends the events. */
export async function addSubscriptions(
  context: WriteContext,
  channels: readonly Channel[],
  users: readonly User[],
  colors: ReadonlyMap<number, string> = new Map(),
): Promise<NewSubscriptions> {
  const wanted = channels.flatMap((channel) =>
    users.map((user) => ({
      user_id: user.id,
      channel_id: channel.id,
      color: colors.get(channel.id) ?? channelColor(channel.id),
    })),
  );
  if (wanted.length === 0) return { channels, added: [], newcomers: new Map(), before: undefined };
  const before = await visibilityBefore(context, await encountersIn(context, channels, users));
  const added = await context.tx.subscriptions.add(wanted);
  return { channels, added, newcomers: usersByChannel(added, users), before };
}

/** Users who could not see a channel get the channel first. */
export async function emitNewSubscriptions(
  context: WriteContext,
  { channels, added, newcomers, before }: NewSubscriptions,
): Promise<void> {
  if (added.length === 0) return;
  const { tx, now, emit } = context;
  await emitVisibility(context, before);
  const channelIds = channels.map((channel) => channel.id).filter((id) => newcomers.has(id));
  const shown = channels.filter(({ id }) => newcomers.has(id));
  const [subscribers, inactive, hiding, audiences] = await Promise.all([
    tx.subscriptions.subscriberIds(channelIds),
    inactiveUserIds(context),
    unlessSubscribed(context, shown),
    peerAudiences(context, shown),
  ]);
  const own = groupBy(added, ({ channel_id }) => channel_id);
  const joined = shown.map((before) => {
    const people = newcomers.get(before.id) ?? [];
    const ids = ascending(people.map((user) => user.id));
    const everybody = subscribers.get(before.id) ?? [];
    const channel = { ...before, subscriber_count: everybody.length };
    const { channel: others, ...known } = audiences.get(before.id) ?? {};
    // If all subscribers are new, the channel is new and has no other subscribers to notify.
    const isNew = others === undefined || everybody.length === ids.length;
    const peers = { ...known, ...(isNew ? {} : { channel: others }), except: ids };
    const hidden = hiding(channel, people);
    return { channel, ids, peers, hidden, own: own.get(before.id) ?? [], subscribers: everybody };
  });
  const created = joined.map(({ channel, hidden }) => ({ users: hidden, item: channelView(channel, inactive, now) }));
  for (const { users, items } of batchEvents(created)) emit({ users }, channelCreated({ streams: items }));
  await emitUserTopicsIn(context, new Map(joined.map(({ channel, hidden }) => [channel.id, hidden])));
  emitSubscribed(context, joined, inactive);
  emitPeers(context, joined, peersSubscribed);
}

/** A channel, subscriptions to send to their users, and the IDs of all subscribers. */
interface ChannelSubscriptions {
  channel: Channel;
  own: readonly Subscription[];
  subscribers: number[];
}

/** Sends `subscription/add`. Users with the same personal settings share an event. */
export function emitSubscribed(
  { emit, now }: Pick<WriteContext, 'emit' | 'now'>,
  joined: readonly ChannelSubscriptions[],
  inactive: ReadonlySet<number>,
  delivery: Delivery = {},
): void {
  const subscriptions = joined.flatMap(({ channel, own, subscribers }) => {
    const alike = groupBy(own, (subscription) => JSON.stringify(personalProperties(subscription)));
    return [...alike.values()].map((group) => ({
      users: group.map(({ user_id }) => user_id),
      item: { ...subscriptionView(channel, group[0] as Subscription, inactive, now), subscribers },
      named: subscribers.length,
    }));
  });
  for (const { users, items } of batchEvents(subscriptions))
    emit({ users }, subscribed({ subscriptions: items }), delivery);
}

/** The caller has checked permissions. Returns the pairs that were subscribed. Their messages become read. */
export async function unsubscribe(context: WriteContext, channels: readonly Channel[], users: readonly User[]) {
  const { tx, emit } = context;
  const pairs = channels.flatMap((channel) => users.map((user) => ({ user_id: user.id, channel_id: channel.id })));
  if (pairs.length === 0) return [];
  // Must run before unsubscribing: users without a subscription have no unread messages in a channel.
  const tellRead = await emitReadAfterLeaving(context, pairs);
  const before = await visibilityBefore(context, await encountersIn(context, channels, users));
  const removed = await tx.subscriptions.remove(pairs);
  const formerSubscribers = usersByChannel(removed, users);
  const left = channels.filter(({ id }) => formerSubscribers.has(id));
  const [hiding, audiences] = await Promise.all([unlessSubscribed(context, left), peerAudiences(context, left)]);
  const changes = left.map((channel) => {
    const gone = formerSubscribers.get(channel.id) ?? [];
    const ids = ascending(gone.map((user) => user.id));
    // Users removed together get each other's removal, if they may still know of the channel.
    const peers = { ...audiences.get(channel.id), ...(ids.length === 1 ? { except: ids } : {}) };
    return { channel, ids, peers, lostAccess: hiding(channel, gone) };
  });
  for (const isArchived of [false, true]) {
    const some = changes.filter(({ channel }) => channel.is_archived === isArchived);
    const delivery = onlyIfShown({ is_archived: isArchived });
    const ended = some.map(({ channel, ids }) => ({ users: ids, item: { name: channel.name, stream_id: channel.id } }));
    for (const { users, items } of batchEvents(ended)) {
      emit({ users }, unsubscribed({ subscriptions: items }), delivery);
    }
    const hidden = some.map(({ channel, lostAccess }) => ({ users: lostAccess, item: channel }));
    for (const { users, items } of batchEvents(hidden)) emitChannelsDeleted(context, { users }, items, delivery);
    emitPeers(context, some, peersUnsubscribed, delivery);
  }
  await emitVisibility(context, before);
  tellRead(removed);
  return removed;
}

/** Guests and other users who may start or stop sharing a channel when the subscriptions change. */
async function encountersIn(
  context: WriteContext,
  channels: readonly Channel[],
  users: readonly User[],
): Promise<ContactPair[]> {
  const guests = new Set(await restrictedGuests(context));
  if (guests.size === 0) return [];
  const subscribers = await context.tx.subscriptions.subscriberIds(channels.map((channel) => channel.id));
  const changing = new Set(users.map((user) => user.id));
  const everybody = [...new Set([...[...subscribers.values()].flat(), ...changing])];
  const isGuest = (id: number) => guests.has(id);
  return [
    { guests: [...changing].filter(isGuest), users: everybody },
    { guests: everybody.filter((id) => isGuest(id) && !changing.has(id)), users: [...changing] },
  ];
}

/** Returns a function that keeps the users who may know of a channel only through a subscription. */
async function unlessSubscribed(
  context: WriteContext,
  channels: readonly Channel[],
): Promise<(channel: Channel, users: readonly User[]) => number[]> {
  const holders = await usersWithMetadataAccess(
    context,
    channels.filter((channel) => channel.invite_only && !channel.is_web_public),
  );
  return (channel, users) => {
    if (channel.is_web_public) return [];
    const mayKnow = (user: User) =>
      channel.invite_only ? isAdministrator(user) || holders.get(channel.id)?.has(user.id) : !isGuest(user);
    return users.filter((user) => !mayKnow(user)).map((user) => user.id);
  };
}

/** The users of the pairs by channel ID, in the order of the pairs. */
function usersByChannel(pairs: readonly { user_id: number; channel_id: number }[], users: readonly User[]) {
  const byId = new Map(users.map((user) => [user.id, user]));
  const grouped = groupBy(pairs, ({ channel_id }) => channel_id);
  return new Map([...grouped].map(([id, own]) => [id, own.flatMap(({ user_id }) => byId.get(user_id) ?? [])]));
}
