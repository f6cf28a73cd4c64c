import { BadRequest } from '../../base/errors.ts';
import { chunked, groupBy } from '../../base/lists.ts';
import { present } from '../../base/present.ts';
import { either, id, list, optional, text } from '../../base/schemas.ts';
import type { Channel } from '../../model/channels.ts';
import type { User } from '../../model/users.ts';
import { METADATA_PERMISSIONS } from '../../rules/channels.ts';
import { isGuest, isSystem } from '../../rules/roles.ts';
import type { Subscription } from '../../storage/interface/channels.ts';
import type { Audience } from '../../storage/interface/events.ts';
import type { AccountContext, Delivery, WriteContext } from '../../viewer/context.ts';
import { emitVisibility, restrictedGuests, visibilityBefore } from '../../viewer/user-visibility.ts';
import { checkUnlocked } from '../../views/external-ids.ts';
import { endForbiddenBlocksIn } from '../messages/blocking.ts';
import { emitReadAfterLeaving } from '../messages/flags/deferred-read-events.ts';
import { emitUserTopicsIn } from '../messages/user-topics/visibility.ts';
import {
  batchEvents,
  type ChannelViews,
  channelCreated,
  channelViews,
  emitChannelsDeleted,
  onlyIfShown,
  personalProperties,
} from './channel-view.ts';
import {
  emitPeers,
  peerAudiences,
  peersSubscribed,
  peersUnsubscribed,
  subscribed,
  unsubscribed,
} from './subscriptions/events.ts';

export const principalList = either(
  [list(id), list(text())],
  'must be a list of user IDs or a list of e-mail addresses',
);

export const principalsParam = optional(principalList, 'User IDs (preferred) or e-mail addresses. Default: you.');

/** The named users; without the parameter, the caller. An empty list is one that a program computed: refused. */
export async function principalsOf(
  context: AccountContext,
  principals: readonly (number | string)[] | undefined,
): Promise<User[]> {
  const { actor } = context;
  if (principals?.length === 0) throw new BadRequest('principals must not be empty. Leave it out for yourself.');
  if (principals) return context.viewer.activeAccounts(principals);
  if (isSystem(actor)) throw new BadRequest('chat.system() has no account. Name users in principals.');
  return [actor];
}

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
  const bySize = channels
    .filter(({ subscriber_count }) => subscriber_count <= MAX_NAMED)
    .sort((a, b) => a.subscriber_count - b.subscriber_count);
  const [named = []] = chunked(bySize, MAX_NAMED, ({ subscriber_count }) => subscriber_count);
  return new Set(named.map(({ id }) => id));
}

/** Those of `users` whose subscriptions to a channel change. Default: all of them. */
type UsersOf = (channel: Channel) => readonly User[];

/** Subscribes users to channels. The caller has checked permissions. */
export async function subscribe(
  context: WriteContext,
  channels: readonly Channel[],
  users: readonly User[],
  { usersOf }: { usersOf?: UsersOf } = {},
) {
  await emitNewSubscriptions(context, await addSubscriptions(context, channels, users, { usersOf }));
}

/** Subscribes users to channels. The caller has checked permissions and sends the events. */
export async function addSubscriptions(
  context: WriteContext,
  channels: readonly Channel[],
  users: readonly User[],
  {
    colorOf,
    usersOf = () => users,
  }: { colorOf?: (channel: Channel) => string | undefined; usersOf?: UsersOf | undefined } = {},
) {
  const wanted = channels.flatMap((channel) => {
    const color = colorOf?.(channel) ?? channelColor(channel.id);
    return usersOf(channel).map((user) => ({ user_id: user.id, channel_id: channel.id, color }));
  });
  if (wanted.length === 0) return { channels, users, added: [], before: undefined };
  checkUnlocked(context, 'channels', channels, users);
  const before = await visibilityBefore(context, await encountersIn(context, channels, users));
  const added = await context.tx.subscriptions.add(wanted);
  const joined = new Set(added.map(({ channel_id }) => channel_id));
  await endForbiddenBlocksIn(
    context,
    channels.filter(({ id }) => joined.has(id)),
  );
  return { channels, users, added, before };
}

/** New subscriptions whose events are not sent yet. */
export type NewSubscriptions = Awaited<ReturnType<typeof addSubscriptions>>;

/** Users who could not see a channel get the channel first. */
export async function emitNewSubscriptions(
  context: WriteContext,
  { channels, users, added, before }: NewSubscriptions,
): Promise<void> {
  if (added.length === 0) return;
  const { tx, emit } = context;
  await emitVisibility(context, before);
  const newcomers = groupBy(added, ({ channel_id }) => channel_id);
  const shown = channels.filter(({ id }) => newcomers.has(id));
  const [subscriberIds, views, audiences] = await Promise.all([
    tx.subscriptions.subscriberIds(shown.map(({ id }) => id)),
    channelViews(context),
    peerAudiences(context, shown),
  ]);
  const joined = shown.map((before) => {
    const own = newcomers.get(before.id) ?? [];
    const ids = idsOf(own);
    const subscribers = subscriberIds.get(before.id) ?? [];
    const audience = audiences.get(before.id) ?? {};
    const { channel: _, ...others } = audience;
    // If all subscribers are new, the channel is new and has no other subscribers to notify.
    const peers = { ...(subscribers.length === ids.length ? others : audience), except: ids };
    const channel = { ...before, subscriber_count: subscribers.length };
    return { channel, ids, peers, hidden: hiddenFrom(audience, ids, users), own, subscribers };
  });
  const created = joined.map(({ channel, hidden }) => ({ users: hidden, item: views.of(channel) }));
  for (const { users, items } of batchEvents(created)) emit({ users }, channelCreated({ streams: items }));
  await emitUserTopicsIn(context, new Map(joined.map(({ channel, hidden }) => [channel.id, hidden])));
  emitSubscribed(context, joined, views);
  emitPeers(context, joined, peersSubscribed);
}

/**
 * Sends `subscription/add`. Users with the same personal settings share an event.
 * @param joined channels with the subscriptions to send to their users, and the IDs of all subscribers
 */
export function emitSubscribed(
  { emit }: Pick<WriteContext, 'emit'>,
  joined: readonly { channel: Channel; own: readonly Subscription[]; subscribers: number[] }[],
  views: ChannelViews,
  delivery: Delivery = {},
): void {
  const subscriptions = joined.flatMap(({ channel, own, subscribers }) => {
    const alike = groupBy(own, (subscription) => JSON.stringify(personalProperties(subscription)));
    return [...alike.values()].map((group) => ({
      users: group.map(({ user_id }) => user_id),
      item: { ...views.withSubscription(channel, present(group[0])), subscribers },
      named: subscribers.length,
    }));
  });
  for (const { users, items } of batchEvents(subscriptions))
    emit({ users }, subscribed({ subscriptions: items }), delivery);
}

/**
 * The caller has checked permissions. Returns the pairs that were subscribed. Their messages become read.
 * @param options `joining`: IDs of users who join later in this transaction. A new subscriber gets all events of its
 * transaction, also about users who left
 */
export async function unsubscribe(
  context: WriteContext,
  channels: readonly Channel[],
  users: readonly User[],
  { usersOf = () => users, joining = [] }: { usersOf?: UsersOf; joining?: readonly number[] } = {},
) {
  const { tx, emit } = context;
  const pairs = channels.flatMap((channel) =>
    usersOf(channel).map((user) => ({ user_id: user.id, channel_id: channel.id })),
  );
  if (pairs.length === 0) return [];
  checkUnlocked(context, 'channels', channels, users);
  // Must run before unsubscribing: users without a subscription have no unread messages in a channel.
  const tellRead = await emitReadAfterLeaving(context, pairs);
  const before = await visibilityBefore(context, await encountersIn(context, channels, users));
  const removed = await tx.subscriptions.remove(pairs);
  const leavers = groupBy(removed, ({ channel_id }) => channel_id);
  const left = channels.filter(({ id }) => leavers.has(id));
  const audiences = await peerAudiences(context, left);
  const changes = left.map((channel) => {
    const ids = idsOf(leavers.get(channel.id) ?? []);
    const audience = audiences.get(channel.id) ?? {};
    // Users removed together get each other's removal, if they may still know of the channel.
    const except = [...(ids.length === 1 ? ids : []), ...joining];
    const peers = { ...audience, ...(except.length > 0 ? { except } : {}) };
    return { channel, ids, peers, lostAccess: hiddenFrom(audience, ids, users) };
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
async function encountersIn(context: WriteContext, channels: readonly Channel[], users: readonly User[]) {
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

/** The users who may know of a channel with this audience only through a subscription. @param users with these IDs */
function hiddenFrom({ scope, users: listed }: Audience, ids: readonly number[], users: readonly User[]): number[] {
  if (scope === 'everyone') return [];
  const knowing = new Set(scope ? users.filter((user) => !isGuest(user)).map(({ id }) => id) : listed);
  return ids.filter((id) => !knowing.has(id));
}

const idsOf = (pairs: readonly { user_id: number }[]) => pairs.map(({ user_id }) => user_id).sort((a, b) => a - b);

/** Default colours of new subscriptions. The channel ID selects the colour, so all users start with the same colour. */
const COLORS = [
  0x76ce90, 0xfae589, 0xa6c7e5, 0xe79ab5, 0xbfd56f, 0xf4ae55, 0xb0a5fd, 0xaddfe5, 0xf5ce6e, 0xc2726a, 0x94c849,
  0xbd86e5, 0xee7e4a, 0xa6dcbf, 0x95a5fd, 0x53a063, 0x9987e1, 0xe4523d, 0xc2c2c2, 0x4f8de4, 0xc6a8ad, 0xe7cc4d,
  0xc8bebf, 0xa47462,
];

export function channelColor(channelId: number): string {
  return `#${present(COLORS[channelId % COLORS.length]).toString(16)}`;
}

/** Colours as users and older clients write them. */
export const COLOR_PATTERN = /^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;

/** Expands `#abc` to six digits, in lower case. Clients accept no other form. */
export function fullColor(given: string): string {
  const hex = given.slice(1).toLowerCase();
  return `#${hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex}`;
}

/** Subscriptions added or removed per transaction. Other requests wait for the transaction. */
const SUBSCRIPTIONS_PER_TRANSACTION = 2_500;

/** The work of one transaction: subscribes or unsubscribes each of the users in each of the channels. */
export interface SubscribingPart<C = Channel> {
  channels: readonly C[];
  users: readonly User[];
  /** True if no later part contains these channels. */
  isLast: boolean;
}

/**
 * Users who may know of a private channel are looked up by the groups in its permissions, and get events. This costs as
 * much as this many subscriptions.
 */
const LOOKUPS_PER_TRANSACTION = SUBSCRIPTIONS_PER_TRANSACTION / 20;

/** New subscribers get the list of all subscribers. This many user IDs cost as much as one subscription. */
const SUBSCRIBERS_NAMED_PER_UNIT = 50;

/** The fields of an existing or planned channel that determine its cost. */
type ChannelCostFields = Pick<Channel, 'invite_only' | 'is_web_public' | 'settings'>;

interface Limits<C> {
  /** Maximum number of channels per part. */
  max?: number;
  /** Number of subscribers that events list for a channel. */
  named?: (channel: C) => number;
}

/**
 * Splits a large call along the longer of its two lists, because every part repeats the work for the other list. If
 * many channels have their own groups or many subscribers, splits along the channels, with few channels per part.
 */
export function partsOf<C extends ChannelCostFields>(
  channels: readonly C[],
  users: readonly User[],
  { max = SUBSCRIPTIONS_PER_TRANSACTION, named = () => 0 }: Limits<C> = {},
): SubscribingPart<C>[] {
  const weighed = [...groupBy(channels, groupsOf)].flatMap(([groups, alike]) =>
    alike.map((channel, at) => ({
      channel,
      /** The work for the channel that does not depend on the users. */
      once: (groups === '' || at > 0 ? 0 : LOOKUPS_PER_TRANSACTION) + named(channel) / SUBSCRIBERS_NAMED_PER_UNIT,
    })),
  );
  const once = weighed.reduce((sum, channel) => sum + channel.once, 0);
  const weightOf = (channel: { once: number }) =>
    Math.max(users.length + channel.once, SUBSCRIPTIONS_PER_TRANSACTION / max);
  const ofChannels =
    users.length > channels.length && once <= SUBSCRIPTIONS_PER_TRANSACTION
      ? [channels]
      : chunked(weighed, SUBSCRIPTIONS_PER_TRANSACTION, weightOf).map((part) => part.map(({ channel }) => channel));
  return ofChannels.flatMap((channels) => {
    const usersPerPart = Math.max(1, Math.floor(SUBSCRIPTIONS_PER_TRANSACTION / Math.max(1, channels.length)));
    return chunked(users, usersPerPart).map((users, at, all) => ({ channels, users, isLast: at === all.length - 1 }));
  });
}

/** Equal for private channels with the same groups in their permissions. Empty for all other channels. */
function groupsOf({ invite_only, is_web_public, settings }: ChannelCostFields): string {
  const groups = METADATA_PERMISSIONS.map((name) => settings[name]);
  const hasOwn = invite_only && !is_web_public && groups.some((value) => value !== undefined);
  return hasOwn ? JSON.stringify(groups) : '';
}
