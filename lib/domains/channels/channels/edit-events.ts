import type { Channel, NewChannel } from '../../../model/channels.ts';
import { channelPermission } from '../../../rules/channels.ts';
import { CHANNEL_PERMISSION_NAMES } from '../../../rules/permission-settings.ts';
import { GUEST, ROLES } from '../../../rules/roles.ts';
import type { Audience } from '../../../storage/interface/events.ts';
import { channelAudience } from '../../../viewer/audiences.ts';
import type { AccountContext, Delivery } from '../../../viewer/context.ts';
import { channelUpdated } from '../../../views/shared-events.ts';
import { emitUserTopicsIn } from '../../messages/user-topics/visibility.ts';
import {
  channelCreated,
  channelViews,
  emitChannelsDeleted,
  ONLY_IF_HIDDEN,
  onlyIfShown,
  streamPostPolicy,
} from '../channel-view.ts';
import { emitDefaultChannels } from '../default-channels.ts';
import { emitSubscribed } from '../subscribing.ts';
import { peersSubscribed } from '../subscriptions/events.ts';

/** @param audience users who knew of the channel before */
export async function emitEdit(
  context: AccountContext,
  audience: Audience,
  before: Channel,
  changes: Partial<NewChannel>,
): Promise<void> {
  const after = { ...before, ...changes };
  // Clients that do not support archived channels get `stream/create` or `stream/delete` at the end instead.
  const delivery = onlyIfShown({ is_archived: before.is_archived || after.is_archived });
  const emitProperties = (properties: readonly Property[]) => {
    for (const [property, value, more] of properties) {
      const event = channelUpdated({ stream_id: before.id, name: before.name, property, value, ...more });
      context.emit(audience, event, delivery);
    }
  };
  emitProperties(descriptionChanges(after, changes));
  if (changes.invite_only !== undefined || changes.settings) await emitAccess(context, audience, after, delivery);
  emitProperties(settingChanges(before, after, changes));
  if (after.is_archived && !before.is_archived) emitChannelsDeleted(context, audience, [before], ONLY_IF_HIDDEN);
  if (before.is_archived && !after.is_archived) await emitUnarchived(context, after);
  if (changes.is_default !== undefined || (changes.is_archived !== undefined && after.is_default)) {
    await emitDefaultChannels(context);
  }
}

/** A property of a `stream/update` event, and further fields of the event. */
type Property = [name: string, value: unknown, more?: Partial<NewChannel>];

function descriptionChanges(after: Channel, { name, description, invite_only }: Partial<NewChannel>): Property[] {
  const { rendered_description, history_public_to_subscribers, is_web_public } = after;
  const properties: Property[] = [];
  if (name !== undefined) properties.push(['name', name]);
  if (description !== undefined) properties.push(['description', description, { rendered_description }]);
  if (invite_only !== undefined)
    properties.push(['invite_only', invite_only, { history_public_to_subscribers, is_web_public }]);
  return properties;
}

function settingChanges(before: Channel, after: Channel, changes: Partial<NewChannel>): Property[] {
  const settings = (['is_archived', 'topics_policy', 'folder_id', 'message_retention_days'] as const)
    .filter((property) => changes[property] !== undefined)
    .map((property): Property => [property, after[property]]);
  const permissions = CHANNEL_PERMISSION_NAMES.filter((key) => after.settings[key] !== before.settings[key]).map(
    (key): Property => [key, channelPermission(after, key)],
  );
  const [policyBefore, policy] = [streamPostPolicy(before), streamPostPolicy(after)];
  const properties: Property[] = [...settings, ...permissions];
  if (policy !== policyBefore) properties.push(['stream_post_policy', policy]);
  if ((policy === 2) !== (policyBefore === 2)) properties.push(['is_announcement_only', policy === 2]);
  return properties;
}

/** Sends the channel and its subscribers to users who may know of it now, and `stream/delete` to users who may not. */
async function emitAccess(context: AccountContext, before: Audience, after: Channel, delivery: Delivery) {
  const { tx, emit } = context;
  const subscribers = (await tx.subscriptions.subscriberIds([after.id])).get(after.id) ?? [];
  const idsBefore = await audienceIds(context, before, subscribers);
  const idsAfter = await audienceIds(context, await channelAudience(context, after), subscribers);
  const lostAccess = [...idsBefore].filter((id) => !idsAfter.has(id));
  const gainedAccess = [...idsAfter].filter((id) => !idsBefore.has(id));
  if (lostAccess.length > 0) emitChannelsDeleted(context, { users: lostAccess }, [after], delivery);
  if (gainedAccess.length === 0) return;
  const views = await channelViews(context);
  emit({ users: gainedAccess }, channelCreated({ streams: [views.of(after)] }), delivery);
  if (!after.is_archived) await emitUserTopicsIn(context, new Map([[after.id, gainedAccess]]));
  if (subscribers.length === 0) return;
  emit({ users: gainedAccess }, peersSubscribed({ stream_ids: [after.id], user_ids: subscribers }), delivery);
}

async function audienceIds({ tx }: AccountContext, audience: Audience, subscribers: readonly number[]) {
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
  const { tx, emit } = context;
  const audience = await channelAudience(context, channel);
  const views = await channelViews(context);
  emit(audience, channelCreated({ streams: [views.of(channel)] }), ONLY_IF_HIDDEN);
  const subscribers = (await tx.subscriptions.subscriberIds([channel.id])).get(channel.id) ?? [];
  if (subscribers.length > 0) {
    const own = await tx.subscriptions.pairs(subscribers, [channel.id]);
    emitSubscribed(context, [{ channel, own, subscribers }], views, ONLY_IF_HIDDEN);
    const peers = peersSubscribed({ stream_ids: [channel.id], user_ids: subscribers });
    emit({ ...audience, except: subscribers }, peers, ONLY_IF_HIDDEN);
  }
  // Topic settings in archived channels are hidden from all clients, so send them to all clients now.
  const people = [...(await audienceIds(context, audience, subscribers))];
  await emitUserTopicsIn(context, new Map([[channel.id, people]]));
}
