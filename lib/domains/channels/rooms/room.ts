import * as v from 'valibot';
import { BadRequest, ChannelAlreadyExists, ExternalIdInUse } from '../../../base/errors.ts';
import { present } from '../../../base/present.ts';
import { describe, either, id, list, nonEmptyText, optional, text, type ValuesOf } from '../../../base/schemas.ts';
import type { Channel, NewChannel } from '../../../model/channels.ts';
import type { User } from '../../../model/users.ts';
import { channelPermission, isRoom, ROOM } from '../../../rules/channels.ts';
import { CHANNEL_PERMISSIONS } from '../../../rules/permission-settings.ts';
import { sameGroupSetting } from '../../../rules/permissions.ts';
import { systemGroupId } from '../../../rules/roles.ts';
import { channelAudience, inactiveUserIds, usersWithPermission } from '../../../viewer/audiences.ts';
import type { AccountContext, ReadContext } from '../../../viewer/context.ts';
import { externalId } from '../../../views/external-ids.ts';
import { endForbiddenBlocks } from '../../messages/blocking.ts';
import { checkedGroupSetting } from '../../organization/group-setting-value.ts';
import { createChannels, openChannels, planChannels } from '../channel-creation.ts';
import { channelName, checkChannelLimits } from '../channel-settings.ts';
import { emitEdit } from '../channels/edit-events.ts';
import { addSubscriptions, subscribe, unsubscribe } from '../subscribing.ts';

const MAX_MEMBERS = 1_000;
/** Members and staff: subscribed in one transaction, for which other writers wait. */
const MAX_PEOPLE = 2_500;

const roomMember = either(
  [
    id,
    text(),
    v.strictObject({ external_id: describe(externalId, 'ID of the user in your program.') }),
    v.strictObject({ user_id: id }),
  ],
  'must be a user ID, an e-mail address, or an object with external_id or user_id',
);

export const roomParams = {
  external_id: describe(externalId, 'ID of the room in your program: 1 to 255 characters.'),
  name: describe(nonEmptyText(), 'At most 60 characters. Unique among all channels, ignoring case.'),
  members: describe(
    list(roomMember, MAX_MEMBERS),
    'All members: user IDs, e-mail addresses, or objects with `external_id` or `user_id`. Users who are not in the list leave the room.',
  ),
  staff: optional(
    nonEmptyText(),
    'User group that joins and administers the room: its external ID or its name. Guests in the group do not join.',
  ),
};

/** `is_archived`: a closed room stays closed. */
type RoomParams = ValuesOf<typeof roomParams> & { is_archived?: boolean | undefined };

/**
 * The room with this external ID.
 * @throws ExternalIdInUse if it belongs to another channel. Its messages may not be for the members of a room
 */
export async function findRoom({ tx }: Pick<ReadContext, 'tx'>, external_id: string): Promise<Channel | undefined> {
  const [channel] = await tx.channels.byExternalIds([external_id]);
  if (!channel || isRoom(channel)) return channel;
  throw new ExternalIdInUse(
    { list: 'channels', external_id },
    `The external ID "${external_id}" belongs to the channel "${channel.name}". It is not a room, because it is public, hides its history or has topics. Use another external ID.`,
  );
}

/** How a room becomes like its parameters. */
export interface RoomPlan {
  /** Undefined: it is created. */
  channel: Channel | undefined;
  changes: Pick<NewChannel, 'name'> & Partial<Pick<NewChannel, 'is_archived' | 'settings'>>;
  joining: readonly User[];
  leaving: readonly User[];
  /** IDs. */
  staff: readonly number[];
}

export const isUnchanged = ({ channel, changes, joining, leaving }: RoomPlan): boolean =>
  channel !== undefined &&
  changes.name === channel.name &&
  Object.keys(changes).length === 1 &&
  joining.length + leaving.length === 0;

/** Writes nothing. */
export async function planRoom(context: AccountContext, given: RoomParams): Promise<RoomPlan> {
  const { tx } = context;
  const name = channelName(given.name);
  const channel = await findRoom(context, given.external_id);
  const staff = await staffOf(context, given.staff);
  const people = new Map([...(await membersOf(context, given.members)), ...staff.users].map((user) => [user.id, user]));
  if (people.size > MAX_PEOPLE)
    throw new BadRequest(
      `A room can have at most ${MAX_PEOPLE} members and staff. This room would have ${people.size}.`,
    );
  const present = channel ? await subscribersOf(context, channel) : [];
  const inside = new Set(present);
  const settings = permissionsOf(channel, staff.group);
  return {
    channel,
    changes: {
      name,
      ...(channel?.is_archived && !given.is_archived ? { is_archived: false } : {}),
      ...(settings ? { settings } : {}),
    },
    // Deactivated members keep their place.
    joining: [...people.values()].filter(({ id, is_active }) => is_active && !inside.has(id)),
    leaving: await tx.users.byIds(present.filter((id) => !people.has(id))),
    staff: staff.users.map(({ id }) => id),
  };
}

/** Also deactivated accounts, which would be in the room again when they are reactivated. */
async function subscribersOf(context: AccountContext, { id }: Channel): Promise<number[]> {
  const { subscriptions } = context.tx;
  const active = (await subscriptions.subscriberIds([id])).get(id) ?? [];
  const inactive = await subscriptions.pairs([...(await inactiveUserIds(context))], [id]);
  return [...active, ...inactive.filter(({ active }) => active).map(({ user_id }) => user_id)];
}

async function membersOf(context: AccountContext, members: RoomParams['members']): Promise<User[]> {
  const externalIds = members.flatMap((one) =>
    typeof one === 'object' && 'external_id' in one ? one.external_id : [],
  );
  const found = externalIds.length > 0 ? await context.tx.users.byExternalIds(externalIds) : [];
  const known = new Set(found.map(({ external_id }) => external_id));
  const missing = externalIds.find((one) => !known.has(one));
  if (missing !== undefined) throw new BadRequest(`There is no user with the external ID "${missing}".`);
  const names = members.flatMap((one) => (typeof one !== 'object' ? one : 'user_id' in one ? one.user_id : []));
  return [...found, ...(await context.viewer.accounts(names))];
}

/** The value for permission settings, and the users who join. */
async function staffOf(context: AccountContext, reference: string | undefined) {
  if (reference === undefined) return { group: systemGroupId('role:nobody'), users: [] };
  const { groups, users } = context.tx;
  const [group] = [...(await groups.headsByExternalIds([reference])), ...(await groups.headsByNames([reference]))];
  if (!group) throw new BadRequest(`There is no user group with the external ID or name "${reference}".`);
  await checkedGroupSetting(context, 'staff', group.id, CHANNEL_PERMISSIONS.can_add_subscribers_group);
  return { group: group.id, users: await users.byIds([...(await usersWithPermission(context, [group.id]))]) };
}

/** A user who may add subscribers can read the messages. So new members of the group read the room at once. */
const STAFF_PERMISSIONS = ['can_administer_channel_group', 'can_add_subscribers_group'] as const;

/** The permission settings of the room, if they change. */
function permissionsOf(channel: Channel | undefined, group: number): NewChannel['settings'] | undefined {
  const isSame = channel && STAFF_PERMISSIONS.every((key) => sameGroupSetting(channelPermission(channel, key), group));
  if (isSame) return undefined;
  return { ...channel?.settings, ...Object.fromEntries(STAFF_PERMISSIONS.map((key) => [key, group])) };
}

/** Posts no notices: a room contains only what its members and staff write. */
export async function applyRoom(context: AccountContext, external_id: string, plan: RoomPlan): Promise<Channel> {
  const room = plan.channel
    ? await changeRoom(context, plan.channel, plan)
    : await createRoom(context, external_id, plan);
  await endForbiddenBlocks(context, plan.staff);
  return room;
}

async function createRoom(context: AccountContext, external_id: string, { changes, joining }: RoomPlan) {
  const { name, settings } = changes;
  const given = { announce: false, is_default_stream: false, ...ROOM, ...settings };
  const planned = await planChannels(context, given, [{ name }]);
  const channels = await createChannels(
    context,
    planned.map((room) => ({ ...room, external_id, creator_id: null })),
  );
  const [room] = channels;
  if (!room) throw new ChannelAlreadyExists(name);
  const joined = await addSubscriptions(context, channels, joining);
  await openChannels(context, channels, joined, { announce: false, isComplete: false });
  return room;
}

async function changeRoom(context: AccountContext, channel: Channel, { changes, joining, leaving }: RoomPlan) {
  const { settings, ...others } = changes;
  const newcomers = joining.map(({ id }) => id);
  // In this order, users who leave get no event of the other changes.
  const open = settings ? await edit(context, channel, { changes: { settings }, newcomers }) : channel;
  await unsubscribe(context, [open], leaving, { joining: newcomers });
  const room = await edit(context, channel, { changes: others, newcomers });
  await subscribe(context, [room], joining);
  return room;
}

/** @param options `newcomers`: get no event, because they get the channel with these changes */
async function edit(
  context: AccountContext,
  { id }: Channel,
  { changes, newcomers }: { changes: Partial<RoomPlan['changes']>; newcomers: readonly number[] },
): Promise<Channel> {
  const { channels } = context.tx;
  const channel = present(await channels.byId(id));
  const { name = channel.name, ...others } = changes;
  const audience = { ...(await channelAudience(context, channel)), except: newcomers };
  if (!(await channels.update(id, changes))) throw new ChannelAlreadyExists(name);
  if (changes.settings) await checkChannelLimits(context);
  await emitEdit(context, audience, channel, name === channel.name ? others : changes);
  return { ...channel, ...changes };
}
