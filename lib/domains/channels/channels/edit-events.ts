import { channelAudience } from '../../../access/channel-audience.ts';
import { channelUpdated } from '../../../access/events.ts';
import { inactiveUserIds } from '../../../access/inactive-users.ts';
import type { AccountContext, Delivery } from '../../../kernel/context.ts';
import { channelPermission } from '../../../rules/channels.ts';
import { CHANNEL_PERMISSIONS, type ChannelPermission } from '../../../rules/permission-settings.ts';
import { GUEST, ROLES } from '../../../rules/roles.ts';
import type { Channel, NewChannel } from '../../../storage/interface/channels.ts';
import type { Audience } from '../../../storage/interface/event-log.ts';
import { emitUserTopicsIn } from '../../messages/user-topics/events.ts';
import { ONLY_IF_HIDDEN, onlyIfShown } from '../archived-channels.ts';
import { channelView, streamPostPolicy } from '../channel-view.ts';
import { emitDefaultChannels } from '../default-channels.ts';
import { emitSubscribed } from '../subscribing.ts';
import { peersSubscribed } from '../subscriptions/events.ts';
import { channelCreated, emitChannelsDeleted } from './events.ts';

/**
 * Sends the changes to `audience`, which knew of the channel before, and the channel to users who gained or lost
 * access.
 */
export async function emitEdit(
  context: AccountContext,
  audience: Audience,
  before: Channel,
  changes: Partial<NewChannel>,
): Promise<void> {
  const after = { ...before, ...changes };
  // Clients that do not support archived channels get `stream/create` or `stream/delete` at the end instead.
  const delivery = onlyIfShown({ is_archived: before.is_archived || after.is_archived });
  const emitProperty = (property: string, value: unknown, more: Partial<NewChannel> = {}) => {
    const event = channelUpdated({ stream_id: before.id, name: before.name, property, value, ...more });
    context.emit(audience, event, delivery);
  };
  if (changes.name !== undefined) emitProperty('name', changes.name);
  if (changes.description !== undefined) {
    emitProperty('description', changes.description, { rendered_description: after.rendered_description });
  }
  if (changes.invite_only !== undefined) {
    const { history_public_to_subscribers, is_web_public } = after;
    emitProperty('invite_only', after.invite_only, { history_public_to_subscribers, is_web_public });
  }
  if (changes.invite_only !== undefined || changes.settings) await emitAccess(context, audience, after, delivery);
  if (changes.is_default !== undefined || (changes.is_archived !== undefined && after.is_default)) {
    await emitDefaultChannels(context);
  }
  if (changes.is_archived !== undefined) emitProperty('is_archived', after.is_archived);
  if (changes.topics_policy !== undefined) emitProperty('topics_policy', after.topics_policy);
  if (changes.folder_id !== undefined) emitProperty('folder_id', after.folder_id);
  if (changes.message_retention_days !== undefined) {
    emitProperty('message_retention_days', after.message_retention_days);
  }
  for (const key of Object.keys(CHANNEL_PERMISSIONS) as ChannelPermission[]) {
    if (after.settings[key] !== before.settings[key]) emitProperty(key, channelPermission(after, key));
  }
  const [policyBefore, policy] = [streamPostPolicy(before), streamPostPolicy(after)];
  if (policy !== policyBefore) emitProperty('stream_post_policy', policy);
  if ((policy === 2) !== (policyBefore === 2)) emitProperty('is_announcement_only', policy === 2);
  if (after.is_archived && !before.is_archived) emitChannelsDeleted(context, audience, [before], ONLY_IF_HIDDEN);
  if (before.is_archived && !after.is_archived) await emitUnarchived(context, after);
}

/** Sends the channel and its subscribers to users who may know of it now, and `stream/delete` to users who may not. */
async function emitAccess(context: AccountContext, before: Audience, after: Channel, delivery: Delivery) {
  const { tx, now, emit } = context;
  const subscribers = (await tx.subscriptions.subscriberIds([after.id])).get(after.id) ?? [];
  const idsBefore = await audienceIds(context, before, subscribers);
  const idsAfter = await audienceIds(context, await channelAudience(context, after), subscribers);
  const lostAccess = [...idsBefore].filter((id) => !idsAfter.has(id));
  const gainedAccess = [...idsAfter].filter((id) => !idsBefore.has(id));
  if (lostAccess.length > 0) emitChannelsDeleted(context, { users: lostAccess }, [after], delivery);
  if (gainedAccess.length === 0) return;
  const view = channelView(after, await inactiveUserIds(context), now);
  emit({ users: gainedAccess }, channelCreated({ streams: [view] }), delivery);
  if (!after.is_archived) await emitUserTopicsIn(context, new Map([[after.id, gainedAccess]]));
  if (subscribers.length === 0) return;
  emit({ users: gainedAccess }, peersSubscribed({ stream_ids: [after.id], user_ids: subscribers }), delivery);
}

async function audienceIds(
  { tx }: AccountContext,
  audience: Audience,
  subscribers: readonly number[],
): Promise<Set<number>> {
  const ids = new Set(audience.users);
  if (audience.channel !== undefined) for (const id of subscribers) ids.add(id);
  if (audience.scope) {
    const roles = audience.scope === 'everyone' ? ROLES : ROLES.filter((role) => role !== GUEST);
    for (const id of await tx.users.activeIds(roles)) ids.add(id);
  }
  return ids;
}

/** Sends the channel again to clients that do not support archived channels, and to subscribers their subscription. */
async function emitUnarchived(context: AccountContext, channel: Channel): Promise<void> {
  const { tx, now, emit } = context;
  const audience = await channelAudience(context, channel);
  const inactive = await inactiveUserIds(context);
  emit(audience, channelCreated({ streams: [channelView(channel, inactive, now)] }), ONLY_IF_HIDDEN);
  const subscribers = (await tx.subscriptions.subscriberIds([channel.id])).get(channel.id) ?? [];
  if (subscribers.length > 0) {
    const own = await tx.subscriptions.pairs(subscribers, [channel.id]);
    emitSubscribed(context, [{ channel, own, subscribers }], inactive, ONLY_IF_HIDDEN);
    const peers = peersSubscribed({ stream_ids: [channel.id], user_ids: subscribers });
    emit({ ...audience, except: subscribers }, peers, ONLY_IF_HIDDEN);
  }
  // Topic settings in archived channels are hidden from all clients, so send them to all clients now.
  const people = [...(await audienceIds(context, audience, subscribers))];
  await emitUserTopicsIn(context, new Map([[channel.id, people]]));
}
