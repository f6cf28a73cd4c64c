import * as v from 'valibot';
import { whoKnowsOf } from '../../access/channel-audience.ts';
import { membershipOf } from '../../access/membership.ts';
import type { AccountContext, TransactionContext } from '../../kernel/context.ts';
import { BadRequest, ChannelAlreadyExists, UnauthorizedPrincipal } from '../../kernel/errors.ts';

import { choice, describe, either, flag, groupSetting, id, integer, text } from '../../kernel/schemas.ts';
import { renderMarkdown } from '../../markdown/render.ts';
import { isValidKind } from '../../rules/channels.ts';
import { channelDescription, channelName, MAX_CHANNEL_DESCRIPTION_LENGTH } from '../../rules/names.ts';
import { organizationPermission, organizationSetting } from '../../rules/organization-settings.ts';
import {
  CHANNEL_PERMISSIONS,
  type ChannelPermission,
  ORGANIZATION_PERMISSIONS,
} from '../../rules/permission-settings.ts';
import { hasPermission, type Membership } from '../../rules/permissions.ts';
import { isAdministrator, isGuest, isOwner } from '../../rules/roles.ts';
import { systemGroupId } from '../../rules/system-groups.ts';
import type { Channel, GroupSettingValue } from '../../storage/storage.ts';
import { channelLink, notifyChannel, silentMention } from '../messages/notification-bot.ts';
import { checkedGroupSetting } from '../user-groups/group-setting-value.ts';
import { channelView } from './channel-view.ts';
import { defaultChannelsEvent } from './default-channels.ts';

export const TOPICS_POLICIES = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const;

const permission = (who: string) => v.optional(describe(groupSetting, who));

/** What a new channel may be given (spec, create a channel); the subscribe operation takes the same. */
export const channelSettingParams = {
  announce: v.optional(describe(flag, 'Let the notification bot announce the new channel.'), false),
  invite_only: v.optional(describe(flag, 'Make it private.'), false),
  is_web_public: v.optional(describe(flag, 'Open it to everybody on the web.'), false),
  is_default_stream: v.optional(describe(flag, 'Subscribe new users to it.'), false),
  folder_id: v.optional(describe(id, 'Channel folder to add it to.')),
  topics_policy: v.optional(
    describe(choice(TOPICS_POLICIES), 'Whether messages may or must have no topic.'),
    'inherit',
  ),
  history_public_to_subscribers: v.optional(describe(flag, 'Whether new subscribers see earlier messages.')),
  message_retention_days: v.optional(
    describe(
      either([text(40), integer], 'must be a number of days, realm_default or unlimited'),
      'Days messages are kept, or realm_default, or unlimited.',
    ),
  ),
  can_add_subscribers_group: permission('Who may add subscribers.'),
  can_delete_any_message_group: permission('Who may delete any message in the channel.'),
  can_delete_own_message_group: permission('Who may delete their own messages in the channel.'),
  can_remove_subscribers_group: permission('Who may remove subscribers.'),
  can_administer_channel_group: permission('Who may administer the channel.'),
  can_move_messages_out_of_channel_group: permission('Who may move messages out of the channel.'),
  can_move_messages_within_channel_group: permission('Who may move messages between topics.'),
  can_send_message_group: permission('Who may post.'),
  can_subscribe_group: permission('Who may subscribe although the channel is private.'),
  can_resolve_topics_group: permission('Who may resolve topics.'),
};

const settingSchema = v.object(channelSettingParams);
export type ChannelSettings = v.InferOutput<typeof settingSchema>;

export const channelDescriptionParam = v.optional(
  describe(text(MAX_CHANNEL_DESCRIPTION_LENGTH), 'Markdown, one line.'),
  '',
);

/** `message_retention_days` as it is stored: null the organization's, -1 for ever. */
export function retentionDays(given: string | number | undefined): number | null {
  if (given === undefined || given === 'realm_default') return null;
  if (given === 'unlimited') return -1;
  if (typeof given === 'number' && given >= 1) return given;
  throw new BadRequest('message_retention_days must be a number of days from 1 on, realm_default or unlimited.');
}

/**
 * Creates a channel in the order of checks of reference 6.3, tells everybody who may know of it, and
 * lets the notification bot open it. Nobody is subscribed yet.
 */
export async function createChannel(
  context: AccountContext,
  given: { name: string; description: string } & ChannelSettings,
): Promise<Channel> {
  const { tx, actor, now } = context;
  const name = channelName(given.name);
  const [taken] = await tx.channels.byNames([name]);
  if (taken) throw new ChannelAlreadyExists(name);
  const description = channelDescription(given.description);
  const message_retention_days = retentionDays(given.message_retention_days);
  if (message_retention_days !== null && !isOwner(actor)) throw new UnauthorizedPrincipal('an organization owner');
  const membership = await membershipOf(context, actor);
  checkTopicsPolicyChange(context, membership, given.topics_policy);
  const settings = await checkedSettings(context, membership, given);
  const kind = {
    invite_only: given.invite_only,
    is_web_public: given.is_web_public,
    history_public_to_subscribers: given.invite_only ? (given.history_public_to_subscribers ?? false) : true,
  };
  checkCreationPermission(context, membership, kind, given.is_default_stream);
  const folder_id = given.folder_id ?? null;
  if (folder_id !== null) await checkFolder(context, folder_id);
  const id = await tx.channels.create({
    name,
    description,
    rendered_description: renderMarkdown(description, context.organization.linkifiers),
    creator_id: actor.id,
    created_ms: now,
    ...kind,
    is_archived: false,
    is_default: given.is_default_stream,
    topics_policy: given.topics_policy,
    message_retention_days,
    folder_id,
    settings,
  });
  if (id === undefined) throw new ChannelAlreadyExists(name);
  const channel = (await tx.channels.byId(id)) as Channel;
  const inactive = new Set(await tx.users.inactiveIds());
  // Nobody is subscribed yet; those who will be, in this same change, are shown the channel then.
  const { channel: _subscribers, ...audience } = await whoKnowsOf(context, channel);
  context.emit({ audience, event: { type: 'stream', op: 'create', streams: [channelView(channel, inactive, now)] } });
  if (channel.is_default) context.emit(await defaultChannelsEvent(context));
  return channel;
}

/** The opening message of a channel, and its announcement; after the first subscribers are in. */
export async function introduceChannel(context: AccountContext, channel: Channel, announce: boolean): Promise<void> {
  const { tx, organization, actor } = context;
  if (organizationSetting(organization, 'send_channel_events_messages')) {
    const kind = channel.is_web_public ? 'Web-public' : channel.invite_only ? 'Private' : 'Public';
    const about = channel.description === '' ? '*It has no description yet.*' : quote(channel.description);
    const topic = channel.topics_policy === 'empty_topic_only' ? '' : 'channel events';
    const text = `**${kind}** channel created by ${silentMention(actor)}.\n\n${about}`;
    await notifyChannel(context, channel, topic, text, actor);
  }
  const announcements = organizationSetting(organization, 'new_stream_announcements_stream_id');
  if (announce && announcements !== null) {
    const target = await tx.channels.byId(announcements);
    if (target && !target.is_archived) {
      await notifyChannel(
        context,
        target,
        'new channels',
        `${silentMention(actor)} created the channel ${channelLink(channel)}.`,
        actor,
      );
    }
  }
}

const quote = (text: string) => `\`\`\` quote\n${text.replaceAll('```', "'''")}\n\`\`\``;

export function checkTopicsPolicyChange(context: AccountContext, membership: Membership, policy: string): void {
  if (policy === 'inherit') return;
  const value = organizationPermission(context.organization, 'can_set_topics_policy_group');
  const guests = ORGANIZATION_PERMISSIONS.can_set_topics_policy_group.everyone;
  if (!hasPermission(value, membership, { guests }))
    throw new BadRequest('You are not allowed to set the topics policy of channels.');
}

/** The permission settings given, checked in alphabetical order; defaults are not stored. */
async function checkedSettings(
  context: AccountContext,
  membership: Membership,
  given: ChannelSettings,
): Promise<Record<string, GroupSettingValue>> {
  const settings: Record<string, GroupSettingValue> = {};
  for (const key of Object.keys(CHANNEL_PERMISSIONS).sort() as ChannelPermission[]) {
    const value = given[key];
    if (value === undefined) continue;
    const checked = await checkedGroupSetting(context, key, value, CHANNEL_PERMISSIONS[key]);
    checkDeletePolicyChange(context, membership, key, checked);
    settings[key] = checked;
  }
  return settings;
}

/** Who may delete messages is decided only by those the organization trusts with it (reference 6.3, 7). */
export function checkDeletePolicyChange(
  context: AccountContext,
  membership: Membership,
  key: ChannelPermission,
  value: GroupSettingValue,
): void {
  if (key !== 'can_delete_any_message_group' && key !== 'can_delete_own_message_group') return;
  if (value === systemGroupId('role:nobody')) return;
  const policy = organizationPermission(context.organization, 'can_set_delete_message_policy_group');
  if (!hasPermission(policy, membership, { guests: false })) {
    throw new BadRequest('You are not allowed to decide who may delete messages in channels.');
  }
}

function checkCreationPermission(
  context: AccountContext,
  membership: Membership,
  kind: { invite_only: boolean; is_web_public: boolean; history_public_to_subscribers: boolean },
  isDefault: boolean,
): void {
  const { actor, organization } = context;
  if (isGuest(actor)) throw new BadRequest('Guests cannot create channels.');
  if (!isValidKind(kind)) throw new BadRequest('A channel cannot be private and web-public at once.');
  const key = kind.invite_only ? 'can_create_private_channel_group' : 'can_create_public_channel_group';
  if (!hasPermission(organizationPermission(organization, key), membership, { guests: false })) {
    throw new BadRequest(`You are not allowed to create ${kind.invite_only ? 'private' : 'public'} channels.`);
  }
  if (isDefault) {
    if (!isAdministrator(actor)) throw new BadRequest('Only administrators can create default channels.');
    if (kind.invite_only) throw new BadRequest('A default channel cannot be private.');
  }
  if (kind.is_web_public) checkWebPublic(context, membership);
}

/** Three switches guard the public web: the server's, the organization's, and the requester's permission. */
export function checkWebPublic(context: AccountContext, membership: Membership): void {
  const { services, organization } = context;
  if (!services.options.webPublicChannels || !organizationSetting(organization, 'enable_spectator_access')) {
    throw new BadRequest('Web-public channels are not switched on here.');
  }
  if (
    !hasPermission(organizationPermission(organization, 'can_create_web_public_channel_group'), membership, {
      guests: false,
    })
  ) {
    throw new BadRequest('You are not allowed to create web-public channels.');
  }
}

export async function checkFolder({ tx }: Pick<TransactionContext, 'tx'>, id: number): Promise<void> {
  const folder = (await tx.channels.folders()).find((one) => one.id === id);
  if (!folder) throw new BadRequest(`There is no channel folder with ID ${id}.`);
  if (folder.is_archived) throw new BadRequest(`The channel folder with ID ${id} has been archived.`);
}
