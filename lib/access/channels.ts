import { BadRequest } from '../base/errors.ts';
import type { Channel, ChannelRules } from '../model/channels.ts';
import type { GroupSettingValue } from '../model/groups.ts';
import type { User } from '../model/users.ts';
import { channelPermission, hasContentAccess, hasMetadataAccess, METADATA_PERMISSIONS } from '../rules/channels.ts';
import { groupsIn, type Membership, roleGroups } from '../rules/permissions.ts';
import { isGuest, isInRooms, systemGroupId, traceOf } from '../rules/roles.ts';
import type { Subscription } from '../storage/interface/channels.ts';
import type { Audience } from '../storage/interface/events.ts';
import type { LookupContext, ReadContext } from './context.ts';
import { membershipOf } from './membership.ts';
import { administratorIds } from './users.ts';

export interface KnownChannel<C extends ChannelRules = Channel> {
  channel: C;
  /** The user's subscription, active or not. */
  subscription: Subscription | undefined;
  isSubscribed: boolean;
  readable: boolean;
}

/** For at most this many channels, only these subscriptions are read: a user can have thousands. */
const MAX_SINGLE_LOOKUPS = 200;

/** No record has it. Looking it up takes as long as looking up a hidden record, so the time reveals nothing. */
export const MISSING_ID = 0;

/** The IDs, or one that does not exist: an empty list sends no statement. */
export const orMissing = (ids: readonly number[]): readonly number[] => (ids.length > 0 ? ids : [MISSING_ID]);

export async function knownChannels<C extends ChannelRules>(
  context: LookupContext,
  user: User,
  channels: readonly C[],
) {
  const { subscriptions: stored } = context.tx;
  const ids = channels.map((channel) => channel.id);
  const [membership, subscriptions] = await Promise.all([
    membershipOf(context, user),
    ids.length <= MAX_SINGLE_LOOKUPS
      ? stored.pairs([user.id], orMissing(ids))
      : stored.ofUser(user.id, { inactive: true }),
  ]);
  const own = subscriptions.filter(({ channel_id }) => isInRooms(user, channel_id));
  const byChannel = new Map(own.map((subscription) => [subscription.channel_id, subscription]));
  const known: KnownChannel<C>[] = [];
  for (const channel of channels) {
    const subscription = byChannel.get(channel.id);
    const isSubscribed = subscription?.active ?? false;
    const readable = hasContentAccess(channel, membership, { isSubscribed });
    if (readable || hasMetadataAccess(channel, membership, { isSubscribed }))
      known.push({ channel, subscription, isSubscribed, readable });
  }
  return { known, membership, subscriptions: byChannel };
}

/** `external:order-17` names the channel whose ID in the embedding program is `order-17`, whatever its name. */
const EXTERNAL = 'external:';

export const externalIdIn = (address: string): string | undefined =>
  address.startsWith(EXTERNAL) ? address.slice(EXTERNAL.length) : undefined;

/** The channel with this ID, name or `external:` ID, whether or not a user can see it. */
export async function findChannel({ tx: { channels } }: Pick<ReadContext, 'tx'>, address: number | string) {
  if (typeof address === 'number') return channels.byId(address);
  const externalId = externalIdIn(address);
  return (
    await (externalId === undefined ? channels.byNames([address.trim()]) : channels.byExternalIds([externalId]))
  )[0];
}

/**
 * The channel with this ID or name.
 * @throws BadRequest if it does not exist; with the same message if the user cannot see it
 */
export async function accessChannel(
  context: ReadContext,
  user: User,
  address: number | string,
  options: { archived?: boolean; readable?: boolean } = {},
): Promise<KnownChannel & { membership: Membership }> {
  const channel = await findChannel(context, address);
  const missing = `There is no channel ${typeof address === 'number' ? `with ID ${address}` : `named "${address}"`}`;
  const refusal = () => new BadRequest(`${missing} that you can access.`);
  const isPast = channel?.is_archived === true && !options.archived;
  if (!channel || isPast) {
    const detail = channel ? `The channel "${channel.name}" has been archived.` : `${missing}.`;
    traceOf(user)?.({ rule: 'channel', isYes: false, detail });
  }
  if (!channel) {
    // The same statements as for a hidden one, so that time does not tell.
    await knownChannels(context, user, []);
    throw refusal();
  }
  const { known, membership } = await knownChannels(context, user, [channel]);
  const found = known[0];
  if (!found || (options.readable && !found.readable)) throw refusal();
  if (isPast) throw new BadRequest(`The channel "${channel.name}" is archived.`);
  return { ...found, membership };
}

/** All users who can see that the channel exists, and so its settings and subscribers. */
export async function channelAudience(context: ReadContext, channel: ChannelRules): Promise<Audience> {
  return (await channelAudiences(context, [channel])).get(channel.id) as Audience;
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
