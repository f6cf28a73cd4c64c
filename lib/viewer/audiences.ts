import { present } from '../base/present.ts';
import type { Channel, ChannelRules } from '../model/channels.ts';
import type { GroupSettingValue } from '../model/groups.ts';
import { channelPermission, hasSharedHistory, METADATA_PERMISSIONS } from '../rules/channels.ts';
import { groupsIn, roleGroups } from '../rules/permissions.ts';
import { ADMINISTRATOR, GUEST, isGuest, OWNER, systemGroupId } from '../rules/roles.ts';
import type { Conversation } from '../storage/interface/conversations.ts';
import type { Audience } from '../storage/interface/events.ts';
import type { WholeTopic } from '../storage/interface/flags.ts';
import type { PlacedMessage } from '../storage/interface/messages.ts';
import type { ReadContext } from './context.ts';

/* Who can see a record, and so gets its events. */

export const administratorIds = ({ tx }: Pick<ReadContext, 'tx'>) => tx.users.activeIds([OWNER, ADMINISTRATOR]);

/** IDs of deactivated accounts, which permission values and subscriber lists do not show. */
export const inactiveUserIds = async ({ tx }: Pick<ReadContext, 'tx'>) => new Set(await tx.users.inactiveIds());

export async function groupMembers({ tx, organization, now }: ReadContext, groupIds: readonly number[]) {
  const within = { direct_members: [], direct_subgroups: groupIds };
  return (await tx.groups.holders(within, roleGroups(organization, now))).map(({ id }) => id);
}

/** All users who can see that the channel exists, and so its settings and subscribers. */
export async function channelAudience(context: ReadContext, channel: ChannelRules): Promise<Audience> {
  return present((await channelAudiences(context, [channel])).get(channel.id));
}

export async function channelAudiences(context: ReadContext, channels: readonly ChannelRules[]) {
  const hidden = channels.filter((channel) => channel.invite_only && !channel.is_web_public);
  const found = await usersWithPermissions(
    context,
    hidden.map((channel) => METADATA_PERMISSIONS.map((key) => channelPermission(channel, key))),
  );
  const knowing = new Map(hidden.map(({ id }, at) => [id, found[at] ?? []]));
  const administrators = hidden.length > 0 ? await administratorIds(context) : [];
  return new Map(
    channels.map((channel): [number, Audience] => {
      const { id } = channel;
      if (channel.is_web_public) return [id, { scope: 'everyone' }];
      if (!channel.invite_only) return [id, { scope: 'members', channel: id }];
      return [id, { channel: id, users: [...new Set([...(knowing.get(id) ?? []), ...administrators])] }];
    }),
  );
}

const nobody = systemGroupId('role:nobody');

/** Active accounts that one of the permission values includes, without guests. */
export async function usersWithPermission(context: ReadContext, values: readonly GroupSettingValue[]) {
  const { direct_members, direct_subgroups } = named(values);
  return holders(context, direct_members, direct_subgroups);
}

/** Like usersWithPermission() for several lists, with one query for all users and one per distinct set of groups. */
async function usersWithPermissions(context: ReadContext, lists: readonly (readonly GroupSettingValue[])[]) {
  const all = lists.map(named);
  const members = await holders(context, new Set(all.flatMap((one) => [...one.direct_members])), new Set());
  const ofGroups = new Map<string, Set<number>>();
  const keyOf = (groups: ReadonlySet<number>) => [...groups].sort((a, b) => a - b).join();
  for (const { direct_subgroups } of all) {
    const key = keyOf(direct_subgroups);
    if (!ofGroups.has(key)) ofGroups.set(key, await holders(context, new Set(), direct_subgroups));
  }
  return all.map(({ direct_members, direct_subgroups }) => {
    const inGroups = ofGroups.get(keyOf(direct_subgroups)) ?? [];
    return new Set([...inGroups, ...[...direct_members].filter((id) => members.has(id))]);
  });
}

function named(values: readonly GroupSettingValue[]) {
  const direct_members = new Set<number>();
  const direct_subgroups = new Set<number>();
  for (const value of values) {
    for (const id of groupsIn(value)) direct_subgroups.add(id);
    if (typeof value === 'object') for (const id of value.direct_members) direct_members.add(id);
  }
  direct_subgroups.delete(nobody);
  return { direct_members, direct_subgroups };
}

async function holders(
  { tx, organization, now }: ReadContext,
  members: ReadonlySet<number>,
  groups: ReadonlySet<number>,
): Promise<Set<number>> {
  if (members.size + groups.size === 0) return new Set();
  const named = { direct_members: [...members], direct_subgroups: [...groups] };
  const found = await tx.groups.holders(named, roleGroups(organization, now));
  return new Set(found.filter((user) => !isGuest(user)).map((user) => user.id));
}

export async function channelOf({ tx }: Pick<ReadContext, 'tx'>, id: number): Promise<Channel> {
  const channel = await tx.channels.byId(id);
  if (!channel) throw new Error(`Channel ${id} has messages: it must exist.`);
  return channel;
}

export async function conversationOf({ tx }: Pick<ReadContext, 'tx'>, message: PlacedMessage): Promise<Conversation> {
  const [conversation] = await tx.conversations.byIds([message.conversation_id]);
  if (!conversation) throw new Error(`Conversation ${message.conversation_id} has messages: it must exist.`);
  return conversation;
}

/** Messages of one channel: their IDs in ascending order, or a whole topic of a channel with shared history. */
export type ChannelMessages = readonly number[] | WholeTopic;

/**
 * The users who get the events of a message. In a channel: its subscribers, and users who can read the message and have
 * received, sent or flagged it or reacted to it. If the history is protected, only users who received it.
 */
export async function messageAudience(context: ReadContext, message: PlacedMessage): Promise<Audience> {
  const { id, channel_id } = message;
  if (channel_id === null) return { users: (await conversationOf(context, message)).participants };
  const [channel, outsiders] = await Promise.all([
    channelOf(context, channel_id),
    outsidersConcerned(context, channel_id, [id]),
  ]);
  return audienceAmong(context, channel, [id], outsiders);
}

export async function channelMessagesAudience(context: ReadContext, channel: Channel, messages: ChannelMessages) {
  return audienceAmong(context, channel, messages, await outsidersConcerned(context, channel.id, messages));
}

export interface MoveAudience {
  audience: Audience;
  /** Users who could read the messages before the move and cannot read them after it. */
  lostAccess: number[];
  /** By user ID: messages that the user can no longer read, if the user can still read others. */
  lostSome: ReadonlyMap<number, readonly number[]>;
}

/** Call it before the messages move. */
export async function moveAudience(
  context: ReadContext,
  from: Channel,
  to: Channel,
  messages: ChannelMessages,
): Promise<MoveAudience> {
  const before = await channelMessagesAudience(context, from, messages);
  if (from.id === to.id) return { audience: before, lostAccess: [], lostSome: new Map() };
  const [subscribers, guests] = await Promise.all([
    context.tx.subscriptions.subscriberIds([from.id, to.id]),
    from.is_web_public ? [] : context.tx.users.activeIds([GUEST]),
  ]);
  const leaving = new Set(subscribers.get(from.id));
  const arriving = new Set(subscribers.get(to.id));
  const knew = new Set([...(before.channel === undefined ? [] : leaving), ...(before.users ?? [])]);
  const others = [...knew].filter((id) => !arriving.has(id));
  const isShared = hasSharedHistory(to);
  const admitted = new Set(isShared ? await withContentAccess(context, to, others) : []);
  const isOut = new Set(others.filter((id) => !admitted.has(id)));
  const lostSome = new Map<number, readonly number[]>();
  if (!isShared && !('conversation_id' in messages)) {
    for (const [id, missing] of await context.tx.messages.notReceived([...arriving], messages, to.id)) {
      if (missing.length === messages.length) isOut.add(id);
      else if (knew.has(id)) lostSome.set(id, missing);
    }
  }
  // A guest who could not read the old channel does not know the messages.
  const guestsWithoutAccess = new Set(guests.filter((id) => !knew.has(id)));
  const seeing = [...new Set([...knew, ...arriving])].filter((id) => !isOut.has(id) && !guestsWithoutAccess.has(id));
  return {
    audience:
      before.channel === undefined
        ? { users: seeing }
        : { channel: from.id, users: seeing.filter((id) => !leaving.has(id)), except: [...isOut] },
    lostAccess: [...isOut].filter((id) => knew.has(id)),
    lostSome,
  };
}

/** @param outsiders users who are not subscribed to the channel and have received or flagged one of the messages */
async function audienceAmong(
  context: ReadContext,
  channel: Channel,
  messages: ChannelMessages,
  outsiders: readonly number[],
): Promise<Audience> {
  const shared = hasSharedHistory(channel) || 'conversation_id' in messages;
  const [subscribers, readers] = await Promise.all([
    shared ? undefined : context.tx.subscriptions.subscriberIds([channel.id]),
    withContentAccess(context, channel, outsiders),
  ]);
  if (shared) return readers.length > 0 ? { channel: channel.id, users: readers } : { channel: channel.id };
  const users = [...new Set([...(subscribers?.get(channel.id) ?? []), ...readers])];
  const missing = await context.tx.messages.notReceived(users, messages, channel.id);
  return { users: users.filter((id) => (missing.get(id)?.length ?? 0) < messages.length) };
}

/** Users who received or flagged one of the messages and are not subscribed to the channel. */
async function outsidersConcerned({ tx }: ReadContext, channelId: number, messages: ChannelMessages) {
  const isTopic = 'conversation_id' in messages;
  const { from_id, to_id } = isTopic ? messages : { from_id: messages[0], to_id: messages.at(-1) };
  if (from_id === undefined || to_id === undefined) return [];
  const [received, flagged] = await Promise.all([
    tx.messages.formerReceivers(channelId, { from_id, to_id }),
    isTopic ? tx.flags.outsiders(messages) : tx.flags.holders(messages, channelId),
  ]);
  return [...new Set([...received, ...flagged])];
}

/** The users who can read the channel, of users who are not subscribed to it. */
export async function withContentAccess(context: ReadContext, channel: Channel, userIds: readonly number[]) {
  if (userIds.length === 0 || channel.is_web_public) return [...userIds];
  if (!channel.invite_only)
    return (await context.tx.users.byIds(userIds)).filter((user) => !isGuest(user)).map((user) => user.id);
  const holders = await usersWithPermission(context, [
    channelPermission(channel, 'can_add_subscribers_group'),
    channelPermission(channel, 'can_subscribe_group'),
  ]);
  return userIds.filter((id) => holders.has(id));
}
