import * as v from 'valibot';
import { BadRequest, ExpectationMismatch, SystemGroupRequired, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { choice, describe, either, empty, flag, groupSettingUpdate, integer, text } from '../../../kernel/schemas.ts';
import type { OrganizationPermission } from '../../../rules/permission-settings.ts';
import { applyOrganizationChange, planOrganizationChange } from './organization-change.ts';

/** Longest period in seconds and highest count: what 32 bits hold, as clients and other servers keep them. */
const MAX_COUNT = 2_147_483_647;

/** In code points. */
const MAX_DESCRIPTION_LENGTH = 1000;

const permission = (who: string) => v.optional(describe(groupSettingUpdate, who));

/** Permissions that something in the product asks for; one that nobody asks for is not accepted. */
const permissions = {
  can_access_all_users_group: permission(
    'Whom guests see: role:everyone, everybody; role:members, those they have to do with.',
  ),
  can_add_custom_emoji_group: permission('Who may add emoji.'),
  can_add_subscribers_group: permission('Who may subscribe others to channels.'),
  can_create_bots_group: permission('Who may create bots.'),
  can_create_groups: permission('Who may create user groups.'),
  can_create_private_channel_group: permission('Who may create private channels.'),
  can_create_public_channel_group: permission('Who may create public channels.'),
  can_create_web_public_channel_group: permission('Who may open channels to the web.'),
  can_create_write_only_bots_group: permission('Who may create bots that only send messages.'),
  can_delete_any_message_group: permission('Who may delete any message.'),
  can_delete_own_message_group: permission('Who may delete their own messages.'),
  can_manage_all_groups: permission('Who may manage every user group.'),
  can_mention_many_users_group: permission('Who may mention everybody in a large channel or topic.'),
  can_move_messages_between_channels_group: permission('Who may move messages to another channel.'),
  can_move_messages_between_topics_group: permission('Who may move messages to another topic.'),
  can_resolve_topics_group: permission('Who may resolve topics.'),
  can_set_delete_message_policy_group: permission('Who may decide in a channel who may delete messages.'),
  can_set_topics_policy_group: permission('Who may set the topics policy of a channel.'),
  direct_message_initiator_group: permission('Who may start direct conversations.'),
  direct_message_permission_group: permission('Of a direct conversation somebody must be among these.'),
} satisfies Partial<Record<OrganizationPermission, unknown>>;

const seconds = v.pipe(integer, v.minValue(1, 'must be at least 1'), v.maxValue(MAX_COUNT, 'is too large'));
const limit = (what: string) =>
  v.optional(
    describe(
      either([choice(['unlimited']), seconds], 'must be a number of seconds from 1 on, or unlimited'),
      `${what}, in seconds; or unlimited.`,
    ),
  );

export const editOrganization = defineOperation({
  name: 'organization.edit',
  http: 'PATCH /realm',
  summary: "Change the organization's name, settings and permissions",
  description: 'Everything given is applied or nothing is. The waiting period is for owners to decide.',
  example: { message_content_edit_limit_seconds: 3600 },
  access: 'administrator',
  effect: 'write',
  params: v.object({
    name: v.optional(describe(text(), 'At most 40 characters.')),
    description: v.optional(describe(text(MAX_DESCRIPTION_LENGTH), 'Markdown.')),
    allow_message_editing: v.optional(describe(flag, 'Whether people may edit what they wrote.')),
    default_code_block_language: v.optional(describe(text(40), 'For code blocks that name none; empty: plain text.')),
    enable_read_receipts: v.optional(describe(flag, 'Whether people may see who has read a message.')),
    enable_spectator_access: v.optional(describe(flag, 'Whether web-public channels are open to the web.')),
    message_content_delete_limit_seconds: limit('How long people may delete their messages'),
    message_content_edit_limit_seconds: limit('How long people may edit their messages'),
    message_edit_history_visibility_policy: v.optional(
      describe(choice(['all', 'moves', 'none']), 'What people may see of how messages were edited.'),
    ),
    move_messages_between_streams_limit_seconds: limit('How long messages may be moved to another channel'),
    move_messages_within_stream_limit_seconds: limit('How long messages may be moved to another topic'),
    name_changes_disabled: v.optional(describe(flag, 'Whether administrators alone change names.')),
    new_stream_announcements_stream_id: v.optional(
      describe(integer, 'Channel where new channels are announced; -1: nowhere.'),
    ),
    require_unique_names: v.optional(describe(flag, 'Whether no two people may have the same name.')),
    send_channel_events_messages: v.optional(
      describe(flag, 'Whether the notification bot tells in channels what is done to them.'),
    ),
    topics_policy: v.optional(
      describe(choice(['allow_empty_topic', 'disable_empty_topic']), 'Whether messages may have no topic.'),
    ),
    waiting_period_threshold: v.optional(
      describe(
        v.pipe(integer, v.minValue(0, 'must not be negative'), v.maxValue(MAX_COUNT, 'is too large')),
        'Days until a new member is a full member.',
      ),
    ),
    ...permissions,
  }),
  result: empty,
  errors: [BadRequest, ExpectationMismatch, SystemGroupRequired, UnauthorizedPrincipal],
  async run(context, given) {
    const change = await planOrganizationChange(context, given);
    await applyOrganizationChange(context, change);
    return {};
  },
});
