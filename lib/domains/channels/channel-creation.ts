import { channelAudience } from '../../access/channel-audience.ts';
import { checkedGroupSetting } from '../../access/group-setting-value.ts';
import { inactiveUserIds } from '../../access/inactive-users.ts';
import { membershipOf } from '../../access/membership.ts';
import type { AccountContext } from '../../kernel/context.ts';
import { BadRequest, ChannelAlreadyExists, UnauthorizedPrincipal } from '../../kernel/errors.ts';
import { renderMarkdown } from '../../markdown/render.ts';
import { organizationPermission, organizationSetting } from '../../rules/organization-settings.ts';
import { CHANNEL_PERMISSIONS, type ChannelPermission } from '../../rules/permission-settings.ts';
import { hasPermission, type Membership } from '../../rules/permissions.ts';
import { isAdministrator, isGuest, isOwner } from '../../rules/roles.ts';
import type { Channel, NewChannel } from '../../storage/interface/channels.ts';
import type { GroupSettingValue } from '../../storage/interface/groups.ts';
import { channelLink, notifyChannel, silentMention } from '../messages/notification-bot.ts';
import { lookForExpiredMessages } from '../organization/message-retention.ts';
import {
  type ChannelSettings,
  checkDeletePolicyChange,
  checkFolder,
  checkTopicsPolicyChange,
  checkWebPublic,
  isValidKind,
  retentionDays,
} from './channel-settings.ts';
import { channelDescription, channelName } from './channel-text.ts';
import { channelView } from './channel-view.ts';
import { channelCreated } from './channels/events.ts';
import { emitDefaultChannels } from './default-channels.ts';

interface GivenChannel extends ChannelSettings {
  name: string;
  description: string;
}

/** Creates a channel and tells everybody who may know of it. Nobody is subscribed yet. */
export async function createChannel(context: AccountContext, given: GivenChannel): Promise<Channel> {
  const { tx, now, emit } = context;
  const planned = await planChannel(context, given);
  const id = await tx.channels.create(planned);
  if (id === undefined) throw new ChannelAlreadyExists(planned.name);
  // Somewhere messages expire now, if nowhere did before.
  if (planned.message_retention_days !== null) await lookForExpiredMessages(context);
  const channel = await tx.channels.byId(id);
  if (!channel) throw new Error(`Channel ${id} must exist: this transaction created it.`);
  const inactive = await inactiveUserIds(context);
  // Nobody is subscribed yet; those who will be, in this same change, are shown the channel then.
  const { channel: _subscribers, ...audience } = await channelAudience(context, channel);
  emit(audience, channelCreated({ streams: [channelView(channel, inactive, now)] }));
  if (channel.is_default) await emitDefaultChannels(context);
  return channel;
}

/** The channel as it will be stored. Of several faults the one refused is the first in the order of the checks. */
async function planChannel(context: AccountContext, given: GivenChannel): Promise<NewChannel> {
  const { tx, organization, actor, now } = context;
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
  return {
    name,
    description,
    rendered_description: renderMarkdown(description, organization.linkifiers),
    creator_id: actor.id,
    created_ms: now,
    ...kind,
    is_archived: false,
    is_default: given.is_default_stream,
    topics_policy: given.topics_policy,
    message_retention_days,
    folder_id,
    settings,
  };
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
  if (!hasPermission(organizationPermission(organization, key), membership, { guests: false, setting: key })) {
    throw new BadRequest(`You are not allowed to create ${kind.invite_only ? 'private' : 'public'} channels.`);
  }
  if (isDefault) {
    if (!isAdministrator(actor)) throw new BadRequest('Only administrators can create default channels.');
    if (kind.invite_only) throw new BadRequest('A default channel cannot be private.');
  }
  if (kind.is_web_public) checkWebPublic(context, membership);
}

/** The opening message of a channel, and its announcement; after the first subscribers are in. */
export async function introduceChannel(context: AccountContext, channel: Channel, announce: boolean): Promise<void> {
  const { tx, organization, actor } = context;
  if (organizationSetting(organization, 'send_channel_events_messages')) {
    const kind = channel.is_web_public ? 'Web-public' : channel.invite_only ? 'Private' : 'Public';
    const about = channel.description === '' ? '*It has no description yet.*' : quote(channel.description);
    const text = `**${kind}** channel created by ${silentMention(actor)}.\n\n${about}`;
    await notifyChannel(context, channel, 'channel events', text, actor);
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
