import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../../base/errors.ts';
import { keysOf } from '../../../base/keys.ts';
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
import { isAdministrator, isOwner } from '../../../rules/roles.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import type { KnownChannel } from '../../../viewer/viewer.ts';
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
  const changes: Partial<NewChannel> = {
    ...changedSettings(context, channel, given),
    ...(await planKind(context, known, given)),
  };
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

/** The settings that differ, except permissions and who can read the channel. */
function changedSettings({ organization }: AccountContext, channel: Channel, given: ChannelChanges) {
  const { new_name, description, topics_policy, folder_id, message_retention_days: days } = given;
  const described = description === undefined ? undefined : channelDescription(description, organization.linkifiers);
  const wanted: Partial<NewChannel> = {
    ...(new_name === undefined ? {} : { name: channelName(new_name) }),
    ...(described?.description === channel.description ? {} : described),
    ...(days === undefined ? {} : { message_retention_days: retentionDays(days) }),
    is_default: given.is_default_stream,
    is_archived: given.is_archived,
    topics_policy,
    folder_id,
  };
  const changed = keysOf(wanted).filter((key) => wanted[key] !== undefined && wanted[key] !== channel[key]);
  return Object.fromEntries(changed.map((key) => [key, wanted[key]]));
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
  if (keysOf(kind).every((key) => kind[key] === channel[key])) return {};
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
