import * as v from 'valibot';
import type { KnownChannel } from '../../../access/channels.ts';
import { updatedGroupSetting } from '../../../access/group-setting-value.ts';
import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { choice, describe, either, flag, groupSettingUpdate, id, integer, text } from '../../../kernel/schemas.ts';
import { renderMarkdown } from '../../../markdown/render.ts';
import { channelPermission, effectiveTopicsPolicy } from '../../../rules/channels.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../../../rules/names.ts';
import { CHANNEL_PERMISSIONS, type ChannelPermission } from '../../../rules/permission-settings.ts';
import type { Membership } from '../../../rules/permissions.ts';
import { isAdministrator, isOwner } from '../../../rules/roles.ts';
import type { Channel, NewChannel } from '../../../storage/interface/channels.ts';
import {
  checkDeletePolicyChange,
  checkFolder,
  checkTopicsPolicyChange,
  checkWebPublic,
  isValidKind,
  retentionDays,
  TOPICS_POLICIES,
} from '../channel-settings.ts';
import { channelDescription, channelName } from '../channel-text.ts';

const permission = v.optional(groupSettingUpdate);

/** Omitted settings keep their value. */
export const channelChangeParams = {
  new_name: v.optional(describe(text(), 'At most 60 characters.')),
  description: v.optional(describe(text(MAX_CHANNEL_DESCRIPTION_LENGTH), 'Markdown, one line.')),
  is_private: v.optional(flag),
  is_web_public: v.optional(flag),
  history_public_to_subscribers: v.optional(flag),
  is_default_stream: v.optional(flag),
  is_archived: v.optional(describe(flag, '`true` archives the channel, `false` unarchives it.')),
  topics_policy: v.optional(choice(TOPICS_POLICIES)),
  folder_id: v.optional(describe(v.nullable(id), '`null` removes the channel from its folder.')),
  message_retention_days: v.optional(
    describe(
      either([text(40), integer], 'must be a number of days, realm_default or unlimited'),
      'Number of days to keep messages, `realm_default` or `unlimited`.',
    ),
  ),
  can_add_subscribers_group: permission,
  can_administer_channel_group: permission,
  can_delete_any_message_group: permission,
  can_delete_own_message_group: permission,
  can_move_messages_out_of_channel_group: permission,
  can_move_messages_within_channel_group: permission,
  can_remove_subscribers_group: permission,
  can_resolve_topics_group: permission,
  can_send_message_group: permission,
  can_subscribe_group: permission,
};

const channelChanges = v.object(channelChangeParams);
type GivenEdit = v.InferOutput<typeof channelChanges>;
type ChannelWithMembership = KnownChannel & { membership: Membership };

/** Checks the given values and returns those that differ from the stored channel. */
export async function planEdit(
  context: AccountContext,
  known: ChannelWithMembership,
  given: GivenEdit,
): Promise<Partial<NewChannel>> {
  const { actor } = context;
  const { channel, membership } = known;
  const changes: Partial<NewChannel> = {};
  if (given.new_name !== undefined) {
    const name = channelName(given.new_name);
    if (name !== channel.name) changes.name = name;
  }
  if (given.description !== undefined) {
    const description = channelDescription(given.description);
    if (description !== channel.description) {
      changes.description = description;
      changes.rendered_description = renderMarkdown(description, context.organization.linkifiers);
    }
  }
  planKind(context, known, given, changes);
  if (given.is_default_stream !== undefined && given.is_default_stream !== channel.is_default) {
    if (!isAdministrator(actor)) throw new BadRequest('Only administrators can change the default channels.');
    changes.is_default = given.is_default_stream;
  }
  if ((changes.is_default ?? channel.is_default) && (changes.invite_only ?? channel.invite_only)) {
    throw new BadRequest('A default channel cannot be private.');
  }
  if (given.is_archived !== undefined && given.is_archived !== channel.is_archived) {
    changes.is_archived = given.is_archived;
  }
  if (given.topics_policy !== undefined && given.topics_policy !== channel.topics_policy) {
    checkTopicsPolicyChange(context, membership, given.topics_policy);
    await checkOnlyEmptyTopic(context, channel, given.topics_policy);
    changes.topics_policy = given.topics_policy;
  }
  if (given.folder_id !== undefined && given.folder_id !== channel.folder_id) {
    if (given.folder_id !== null) await checkFolder(context, given.folder_id);
    changes.folder_id = given.folder_id;
  }
  if (given.message_retention_days !== undefined) {
    const days = retentionDays(given.message_retention_days);
    if (days !== channel.message_retention_days) {
      if (!isOwner(actor)) throw new UnauthorizedPrincipal('an organization owner');
      changes.message_retention_days = days;
    }
  }
  await planPermissions(context, known, given, changes);
  return changes;
}

/** Private, public or web-public. Derives omitted fields from the given fields. */
function planKind(
  context: AccountContext,
  { channel, membership, readable }: ChannelWithMembership,
  given: GivenEdit,
  changes: Partial<NewChannel>,
): void {
  const invite_only = given.is_private ?? (given.is_web_public ? false : channel.invite_only);
  const is_web_public = given.is_web_public ?? (given.is_private ? false : channel.is_web_public);
  const becamePrivate = invite_only && !channel.invite_only;
  const history_public_to_subscribers =
    given.history_public_to_subscribers ??
    (invite_only ? (becamePrivate ? false : channel.history_public_to_subscribers) : true);
  const kind = { invite_only, is_web_public, history_public_to_subscribers };
  if (!isValidKind(kind))
    throw new BadRequest(
      'These settings conflict. A channel is web-public, public or private, and only a private channel can hide its history.',
    );
  const isSame =
    invite_only === channel.invite_only &&
    is_web_public === channel.is_web_public &&
    history_public_to_subscribers === channel.history_public_to_subscribers;
  if (isSame) return;
  if (!readable) throw new BadRequest('You must be able to read the channel to change who can read it.');
  if (is_web_public && !channel.is_web_public) checkWebPublic(context, membership);
  Object.assign(changes, kind);
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
const NEEDS_CONTENT_ACCESS: ReadonlySet<ChannelPermission> = new Set([
  'can_add_subscribers_group',
  'can_subscribe_group',
]);

async function planPermissions(
  context: AccountContext,
  { channel, membership, readable }: ChannelWithMembership,
  given: GivenEdit,
  changes: Partial<NewChannel>,
): Promise<void> {
  for (const key of Object.keys(CHANNEL_PERMISSIONS).sort() as ChannelPermission[]) {
    const update = given[key];
    if (!update) continue;
    const current = channelPermission(channel, key);
    const value = await updatedGroupSetting(context, key, update, current, CHANNEL_PERMISSIONS[key]);
    if (value === undefined) continue;
    if (NEEDS_CONTENT_ACCESS.has(key) && !readable)
      throw new BadRequest(`You must be able to read the channel to change ${key}.`);
    checkDeletePolicyChange(context, membership, key, value);
    changes.settings = { ...channel.settings, ...changes.settings, [key]: value };
  }
}
