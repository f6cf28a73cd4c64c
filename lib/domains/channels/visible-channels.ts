import { groupBy } from '../../base/lists.ts';
import type { Channel, ChannelPermissions } from '../../model/channels.ts';
import type { User } from '../../model/users.ts';
import { hasMetadataAccess, METADATA_PERMISSIONS } from '../../rules/channels.ts';
import { groupsIn, outwardGroups, roleGroupIds } from '../../rules/permissions.ts';
import { isAdministrator, isGuest } from '../../rules/roles.ts';
import type { WriteContext } from '../../viewer/context.ts';
import { startOver } from '../../viewer/user-visibility.ts';
import { channelCreated, channelViews, emitChannelsDeleted, onlyIfShown } from './channel-view.ts';
import { peersSubscribed } from './subscriptions/events.ts';

/** Above this many user-channel pairs, or subscribers of the channels, the users' clients must register again. */
const MAX_PAIRS = 20_000;

/**
 * Which users know of which private channels. Call it before users join or leave a group, directly or through a
 * subgroup. Call `emitVisibleChannels` afterwards. Most groups are in no permission that matters here. Then it costs one
 * or two statements.
 * @param people loads the users who join or leave; only called if needed
 */
export async function visibleChannelsBefore(
  context: WriteContext,
  groupIds: readonly number[],
  people: () => Promise<readonly User[]>,
) {
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
    await startOver(context, idsOf(concerned));
    return undefined;
  }
  return { people: concerned, channels, known: await knownPairs(context, concerned, channels) };
}

type VisibleChannels = Awaited<ReturnType<typeof visibleChannelsBefore>>;

/** Sends `stream/create` and `stream/delete` to users who can or can no longer know of private channels. */
export async function emitVisibleChannels(context: WriteContext, before: VisibleChannels): Promise<void> {
  if (!before) return;
  const { people, channels, known } = before;
  const after = await knownPairs(context, people, channels);
  const changed = (isChanged: (pair: string) => boolean) =>
    channels
      .map((channel) => ({ channel, users: idsOf(people).filter((id) => isChanged(`${id}:${channel.id}`)) }))
      .filter(({ users }) => users.length > 0);
  for (const { channel, users } of changed((pair) => known.has(pair) && !after.has(pair)))
    emitChannelsDeleted(context, { users }, [channel], onlyIfShown(channel));
  await emitChannelsBecameVisible(
    context,
    changed((pair) => after.has(pair) && !known.has(pair)),
  );
}

const idsOf = (records: readonly { id: number }[]) => records.map(({ id }) => id);

/** @param gained channels with the users who can see them now */
export async function emitChannelsBecameVisible(
  context: WriteContext,
  gained: readonly { channel: Channel; users: readonly number[] }[],
): Promise<void> {
  const { tx, emit } = context;
  if (gained.length === 0) return;
  const views = await channelViews(context);
  const subscribers = await tx.subscriptions.subscriberIds(idsOf(gained.map(({ channel }) => channel)));
  for (const { channel, users } of gained) {
    const delivery = onlyIfShown(channel);
    emit({ users }, channelCreated({ streams: [views.of(channel)] }), delivery);
    const user_ids = subscribers.get(channel.id) ?? [];
    if (user_ids.length > 0) emit({ users }, peersSubscribed({ stream_ids: [channel.id], user_ids }), delivery);
  }
}

/** Groups in the settings that let users know of the channel. Empty if the channel is not private. */
function groupsNamed({ invite_only, settings }: ChannelPermissions): number[] {
  if (!invite_only) return [];
  return METADATA_PERMISSIONS.flatMap((key) => {
    const value = settings[key];
    return value === undefined ? [] : groupsIn(value);
  });
}

/** The pairs `user:channel` where the user may know of the channel, subscribed or not. */
async function knownPairs(
  { tx, organization, now }: WriteContext,
  people: readonly User[],
  channels: readonly Channel[],
): Promise<Set<string>> {
  const userIds = idsOf(people);
  const subscriptions = await tx.subscriptions.pairs(userIds, idsOf(channels));
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
      if (hasMetadataAccess(channel, { user, groups }, { isSubscribed: known.has(pair) })) known.add(pair);
    }
  }
  return known;
}
