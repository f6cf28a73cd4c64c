import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../../base/errors.ts';
import type { ValuesOf } from '../../../base/schemas.ts';
import { choice, flag, groupSettingUpdate, id, nonEmptyText, optional, text } from '../../../base/schemas.ts';
import type { Channel, NewChannel } from '../../../model/channels.ts';
import { channelPermission, effectiveTopicsPolicy } from '../../../rules/channels.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../../../rules/names.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import {
  CHANNEL_PERMISSION_NAMES,
  CHANNEL_PERMISSIONS,
  type ChannelPermission,
  permissionParams,
} from '../../../rules/permission-settings.ts';
import { GUEST, isAdministrator, isOwner, ROLES } from '../../../rules/roles.ts';
import type { Audience } from '../../../storage/interface/events.ts';
import { channelAudience, inactiveUserIds } from '../../../viewer/audiences.ts';
import type { AccountContext, Delivery } from '../../../viewer/context.ts';
import type { KnownChannel } from '../../../viewer/viewer.ts';
import { channelUpdated } from '../../../views/shared-events.ts';
import { emitUserTopicsIn } from '../../messages/user-topics/visibility.ts';
import { updatedGroupSetting } from '../../organization/group-setting-value.ts';
import {
  channelDescription,
  channelName,
  checkDeletePolicyChange,
  checkFolder,
  checkTopicsPolicyChange,
  checkWebPublic,
  isValidKind,
  retentionDays,
  retentionValue,
  TOPICS_POLICIES,
} from '../channel-settings.ts';
import {
  channelCreated,
  channelView,
  emitChannelsDeleted,
  ONLY_IF_HIDDEN,
  onlyIfShown,
  streamPostPolicy,
} from '../channel-view.ts';
import { emitDefaultChannels } from '../default-channels.ts';
import { emitSubscribed } from '../subscribing.ts';
import { peersSubscribed } from '../subscriptions/events.ts';

/** Omitted settings keep their value. */
export const channelChangeParams = {
  new_name: optional(nonEmptyText(), 'At most 60 characters.'),
  description: optional(text(MAX_CHANNEL_DESCRIPTION_LENGTH), 'Markdown, one line.'),
  is_private: v.optional(flag),
  is_web_public: v.optional(flag),
  history_public_to_subscribers: v.optional(flag),
  is_default_stream: v.optional(flag),
  is_archived: optional(flag, '`true` archives the channel, `false` unarchives it.'),
  topics_policy: v.optional(choice(TOPICS_POLICIES)),
  folder_id: optional(v.nullable(id), '`null` removes the channel from its folder.'),
  message_retention_days: optional(retentionValue, 'Days to keep messages, `realm_default` or `unlimited`.'),
  ...permissionParams(CHANNEL_PERMISSIONS, groupSettingUpdate),
};

type ChannelChanges = ValuesOf<typeof channelChangeParams>;

export async function planEdit(context: AccountContext, known: KnownChannel, given: ChannelChanges) {
  const { actor, organization } = context;
  const { channel } = known;
  const { new_name, description, topics_policy, folder_id, message_retention_days: days } = given;
  const described = description === undefined ? undefined : channelDescription(description, organization.linkifiers);
  const wanted = {
    ...(new_name === undefined ? {} : { name: channelName(new_name) }),
    ...(described?.description === channel.description ? {} : described),
    ...(days === undefined ? {} : { message_retention_days: retentionDays(days) }),
    is_default: given.is_default_stream,
    is_archived: given.is_archived,
    topics_policy,
    folder_id,
  };
  const changed = Object.entries(wanted).filter(
    ([key, value]) => value !== undefined && value !== channel[key as keyof typeof wanted],
  );
  const changes: Partial<NewChannel> = { ...Object.fromEntries(changed), ...(await planKind(context, known, given)) };
  if (changes.is_default !== undefined && !isAdministrator(actor))
    throw new BadRequest('Only administrators can change the default channels.');
  if ((changes.is_default ?? channel.is_default) && (changes.invite_only ?? channel.invite_only))
    throw new BadRequest('A default channel cannot be private.');
  const reportsTo = organizationSetting(organization, 'moderation_request_channel_id');
  if (changes.invite_only === false && channel.id === reportsTo)
    throw new BadRequest('The channel for reported messages must be private.');
  if (changes.topics_policy !== undefined) {
    await checkTopicsPolicyChange(context, changes.topics_policy);
    await checkOnlyEmptyTopic(context, channel, changes.topics_policy);
  }
  if (typeof changes.folder_id === 'number') await checkFolder(context, changes.folder_id);
  if (changes.message_retention_days !== undefined && !isOwner(actor))
    throw new UnauthorizedPrincipal('an organization owner');
  const settings = await planPermissions(context, known, given);
  return { ...changes, ...(settings ? { settings } : {}) };
}

/** Private, public or web-public. Derives omitted fields from the given fields. */
async function planKind(context: AccountContext, { channel, readable }: KnownChannel, given: ChannelChanges) {
  const invite_only = given.is_private ?? (given.is_web_public ? false : channel.invite_only);
  const is_web_public = given.is_web_public ?? (given.is_private ? false : channel.is_web_public);
  const history_public_to_subscribers =
    given.history_public_to_subscribers ??
    (!invite_only || (channel.invite_only && channel.history_public_to_subscribers));
  const kind = { invite_only, is_web_public, history_public_to_subscribers };
  if (!isValidKind(kind))
    throw new BadRequest('These settings conflict. Only a private channel hides its history. It is not web-public.');
  const keys = Object.keys(kind) as (keyof typeof kind)[];
  if (keys.every((key) => kind[key] === channel[key])) return {};
  if (!readable) throw new BadRequest('You must be able to read the channel to change who can read it.');
  if (is_web_public && !channel.is_web_public) await checkWebPublic(context);
  return kind;
}

/** `empty_topic_only` is not possible if the channel has messages in other topics. */
async function checkOnlyEmptyTopic({ tx }: AccountContext, channel: Channel, policy: string): Promise<void> {
  if (policy !== 'empty_topic_only' || effectiveTopicsPolicy(channel, 'allow_empty_topic') === 'empty_topic_only')
    return;
  const topics = await tx.conversations.topicsOf(channel.id, { limit: 2 });
  if (topics.some((topic) => topic.name !== '')) {
    throw new BadRequest('The channel has messages in other topics. Move them to the empty topic first.');
  }
}

/** Settings that give users access to the messages of a private channel. */
const NEEDS_CONTENT_ACCESS: readonly ChannelPermission[] = ['can_add_subscribers_group', 'can_subscribe_group'];

/** All permission settings of the channel, if one changes. */
async function planPermissions(context: AccountContext, { channel, readable }: KnownChannel, given: ChannelChanges) {
  let settings: Channel['settings'] | undefined;
  for (const key of CHANNEL_PERMISSION_NAMES) {
    const update = given[key];
    if (!update) continue;
    const current = channelPermission(channel, key);
    const value = await updatedGroupSetting(context, key, update, { current, setting: CHANNEL_PERMISSIONS[key] });
    if (value === undefined) continue;
    if (NEEDS_CONTENT_ACCESS.includes(key) && !readable)
      throw new BadRequest(`You must be able to read the channel to change ${key}.`);
    await checkDeletePolicyChange(context, key, value);
    settings = { ...channel.settings, ...settings, [key]: value };
  }
  return settings;
}

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
  if (changes.is_archived !== undefined) emitProperty('is_archived', after.is_archived);
  for (const property of ['topics_policy', 'folder_id', 'message_retention_days'] as const) {
    if (changes[property] !== undefined) emitProperty(property, after[property]);
  }
  for (const key of CHANNEL_PERMISSION_NAMES) {
    if (after.settings[key] !== before.settings[key]) emitProperty(key, channelPermission(after, key));
  }
  const [policyBefore, policy] = [streamPostPolicy(before), streamPostPolicy(after)];
  if (policy !== policyBefore) emitProperty('stream_post_policy', policy);
  if ((policy === 2) !== (policyBefore === 2)) emitProperty('is_announcement_only', policy === 2);
  if (after.is_archived && !before.is_archived) emitChannelsDeleted(context, audience, [before], ONLY_IF_HIDDEN);
  if (before.is_archived && !after.is_archived) await emitUnarchived(context, after);
  if (changes.is_default !== undefined || (changes.is_archived !== undefined && after.is_default)) {
    await emitDefaultChannels(context);
  }
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
