import type { WriteContext } from '../../access/context.ts';
import { startOver } from '../../access/user-visibility.ts';
import { inactiveUserIds } from '../../access/users.ts';
import { groupBy } from '../../base/group-by.ts';
import type { Channel, ChannelPermissions } from '../../model/channels.ts';
import type { User } from '../../model/users.ts';
import { hasMetadataAccess } from '../../rules/channels.ts';
import type { ChannelPermission } from '../../rules/permission-settings.ts';
import { outwardGroups, roleGroupIds } from '../../rules/permissions.ts';
import { isAdministrator, isGuest } from '../../rules/roles.ts';
import { channelCreated, channelView, emitChannelsDeleted, onlyIfShown } from './channel-view.ts';
import { peersSubscribed } from './subscriptions/events.ts';

/** Settings that let a user know of a private channel without a subscription. */
const METADATA_SETTINGS: readonly ChannelPermission[] = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_subscribe_group',
];

/** Above this many user-channel pairs, or subscribers of the channels, the users' clients must register again. */
const MAX_PAIRS = 20_000;

/** Which users knew of which private channels before a change of groups. */
export interface VisibleChannels {
  /** Users that the change can affect. */
  people: readonly User[];
  channels: readonly Channel[];
  /** Pairs as `user:channel`. */
  known: ReadonlySet<string>;
}

/**
 * Call it before users join or leave a group, directly or through a subgroup. Call `emitVisibleChannels` afterwards. Most
 * groups are in no permission that matters here. Then it costs one or two statements.
 * @param people loads the users who join or leave; only called if needed
 */
export async function visibleChannelsBefore(
  context: WriteContext,
  groupIds: readonly number[],
  people: () => Promise<readonly User[]>,
): Promise<VisibleChannels | undefined> {
  const { tx } = context;
  const naming = (await tx.channels.withSettings()).filter((channel) => groupsNamed(channel).length > 0);
  if (naming.length === 0) return undefined;
  const around = new Set(await tx.groups.around(groupIds));
  const ids = naming.filter((channel) => groupsNamed(channel).some((id) => around.has(id))).map(({ id }) => id);
  if (ids.length === 0) return undefined;
  const concerned = (await people()).filter((user) => user.is_active && !isGuest(user) && !isAdministrator(user));
  if (concerned.length === 0) return undefined;
  const channels = await tx.channels.byIds(ids);
  const readers = channels.reduce((sum, channel) => sum + channel.subscriber_count, 0);
  if (concerned.length * channels.length > MAX_PAIRS || readers > MAX_PAIRS) {
    await startOver(
      context,
      concerned.map((user) => user.id),
    );
    return undefined;
  }
  return { people: concerned, channels, known: await knownPairs(context, concerned, channels) };
}

/** Sends `stream/create` and `stream/delete` to users who can or can no longer know of private channels. */
export async function emitVisibleChannels(context: WriteContext, before: VisibleChannels | undefined): Promise<void> {
  if (!before) return;
  const { people, channels, known } = before;
  const after = await knownPairs(context, people, channels);
  const gained = byAudience(people, channels, (pair) => after.has(pair) && !known.has(pair));
  const lost = byAudience(people, channels, (pair) => known.has(pair) && !after.has(pair));
  for (const [users, theirs] of lost) {
    for (const channel of theirs) emitChannelsDeleted(context, { users }, [channel], onlyIfShown(channel));
  }
  await emitChannelsBecameVisible(context, gained);
}

export async function emitChannelsBecameVisible(
  context: WriteContext,
  gained: readonly (readonly [users: number[], channels: readonly Channel[]])[],
): Promise<void> {
  const { tx, now, emit } = context;
  const shown = new Set(gained.flatMap(([, theirs]) => theirs.map((channel) => channel.id)));
  if (shown.size === 0) return;
  const inactive = await inactiveUserIds(context);
  const subscribers = await tx.subscriptions.subscriberIds([...shown]);
  for (const [users, theirs] of gained) {
    for (const channel of theirs) {
      const delivery = onlyIfShown(channel);
      emit({ users }, channelCreated({ streams: [channelView(channel, inactive, now)] }), delivery);
      const user_ids = subscribers.get(channel.id) ?? [];
      if (user_ids.length > 0) emit({ users }, peersSubscribed({ stream_ids: [channel.id], user_ids }), delivery);
    }
  }
}

/** Groups in the settings that let users know of the channel. Empty if the channel is not private. */
function groupsNamed({ invite_only, settings }: ChannelPermissions): number[] {
  if (!invite_only) return [];
  return METADATA_SETTINGS.flatMap((key) => {
    const value = settings[key];
    if (value === undefined) return [];
    return typeof value === 'number' ? [value] : value.direct_subgroups;
  });
}

/** The pairs of users and channels where the user may know of the channel, subscribed or not. */
async function knownPairs(
  { tx, organization, now }: WriteContext,
  people: readonly User[],
  channels: readonly Channel[],
): Promise<Set<string>> {
  const userIds = people.map((user) => user.id);
  const channelIds = channels.map((channel) => channel.id);
  const subscriptions = await tx.subscriptions.pairs(userIds, channelIds);
  const known = new Set(
    subscriptions.filter(({ active }) => active).map(({ user_id, channel_id }) => `${user_id}:${channel_id}`),
  );
  const outward = outwardGroups(await tx.groups.nestings());
  const memberships = groupBy(await tx.groups.directMemberships(userIds), ({ user_id }) => user_id);
  for (const user of people) {
    const direct = (memberships.get(user.id) ?? []).map(({ group_id }) => group_id);
    const groups = outward([...roleGroupIds(user, organization, now), ...direct]);
    for (const channel of channels) {
      const pair = `${user.id}:${channel.id}`;
      if (hasMetadataAccess(channel, { user, groups }, known.has(pair))) known.add(pair);
    }
  }
  return known;
}

function byAudience(
  people: readonly User[],
  channels: readonly Channel[],
  isConcerned: (pair: string) => boolean,
): [users: number[], channels: Channel[]][] {
  const grouped = new Map<string, [number[], Channel[]]>();
  for (const channel of channels) {
    const users = people.map((user) => user.id).filter((id) => isConcerned(`${id}:${channel.id}`));
    if (users.length === 0) continue;
    const group = grouped.get(users.join());
    if (group) group[1].push(channel);
    else grouped.set(users.join(), [users, [channel]]);
  }
  return [...grouped.values()];
}
