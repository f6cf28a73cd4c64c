import { BadRequest, UnauthorizedPrincipal } from '../../base/errors.ts';
import { chunked } from '../../base/lists.ts';
import type { Channel, NewChannel } from '../../model/channels.ts';
import type { GroupSettingValue } from '../../model/groups.ts';
import type { User } from '../../model/users.ts';
import { organizationSetting } from '../../rules/organization-settings.ts';
import { CHANNEL_PERMISSION_NAMES, CHANNEL_PERMISSIONS } from '../../rules/permission-settings.ts';
import { creatorId, isAdministrator, isGuest, isOwner } from '../../rules/roles.ts';
import { channelAudience } from '../../viewer/audiences.ts';
import type { AccountContext } from '../../viewer/context.ts';
import { emitFirstMessages } from '../messages/channel-activity.ts';
import { channelLink, notifyChannel, quotation, silentMention, storeNotices } from '../messages/notification-bot.ts';
import { emitMessages } from '../messages/posting/post-message.ts';
import { checkedGroupSetting } from '../organization/group-setting-value.ts';
import { lookForExpiredMessages } from '../organization/settings/organization-change.ts';
import {
  type ChannelSettings,
  channelDescription,
  channelName,
  checkChannelLimits,
  checkDeletePolicyChange,
  checkFolder,
  checkTopicsPolicyChange,
  checkWebPublic,
  isValidKind,
  retentionDays,
} from './channel-settings.ts';
import { channelCreated, channelViews, MAX_CHANNELS_PER_EVENT } from './channel-view.ts';
import { emitDefaultChannels } from './default-channels.ts';
import { emitNewSubscriptions, type NewSubscriptions } from './subscribing.ts';

/**
 * Checks the settings that all channels of a request share, and their names and descriptions. Does not check whether
 * names are taken. The number of statements does not depend on that of channels.
 */
export async function planChannels(
  context: AccountContext,
  given: ChannelSettings,
  channels: readonly { name: string; description?: string | null | undefined }[],
): Promise<NewChannel[]> {
  if (channels.length === 0) return [];
  const { actor, now, organization } = context;
  const message_retention_days = retentionDays(given.message_retention_days);
  if (message_retention_days !== null && !isOwner(actor)) throw new UnauthorizedPrincipal('an organization owner');
  await checkTopicsPolicyChange(context, given.topics_policy);
  const settings = await checkedSettings(context, given);
  const kind = {
    invite_only: given.invite_only,
    is_web_public: given.is_web_public,
    history_public_to_subscribers: given.invite_only ? (given.history_public_to_subscribers ?? false) : true,
  };
  await checkCreationPermission(context, { ...kind, isDefault: given.is_default_stream });
  const folder_id = given.folder_id ?? null;
  if (folder_id !== null) await checkFolder(context, folder_id);
  const planned = channels.map(({ name, description }) => ({
    name: channelName(name),
    ...channelDescription(description ?? '', organization.linkifiers),
    external_id: null,
    creator_id: creatorId(actor),
    created_ms: now,
    ...kind,
    is_archived: false,
    is_default: given.is_default_stream,
    topics_policy: given.topics_policy,
    message_retention_days,
    folder_id,
    settings,
  }));
  await checkChannelLimits(context, planned);
  return planned;
}

/** The given permission settings. Omitted settings are not stored. */
async function checkedSettings(context: AccountContext, given: ChannelSettings) {
  const settings: Record<string, GroupSettingValue> = {};
  for (const key of CHANNEL_PERMISSION_NAMES) {
    const value = given[key];
    if (value === undefined) continue;
    const checked = await checkedGroupSetting(context, key, value, CHANNEL_PERMISSIONS[key]);
    await checkDeletePolicyChange(context, key, checked);
    settings[key] = checked;
  }
  return settings;
}

async function checkCreationPermission(
  context: AccountContext,
  kind: { invite_only: boolean; is_web_public: boolean; history_public_to_subscribers: boolean; isDefault: boolean },
): Promise<void> {
  const { actor } = context;
  if (isGuest(actor)) throw new BadRequest('Guests cannot create channels.');
  if (!isValidKind(kind)) throw new BadRequest('A channel cannot be both private and web-public.');
  const key = kind.invite_only ? 'can_create_private_channel_group' : 'can_create_public_channel_group';
  await context.viewer.check(key, `create ${kind.invite_only ? 'private' : 'public'} channels`);
  if (kind.isDefault) {
    if (!isAdministrator(actor)) throw new BadRequest('Only administrators can create default channels.');
    if (kind.invite_only) throw new BadRequest('A default channel cannot be private.');
  }
  if (kind.is_web_public) await checkWebPublic(context);
}

/** Stores the planned channels. Skips channels whose name is taken. The caller subscribes users and opens them. */
export async function createChannels(context: AccountContext, planned: readonly NewChannel[]): Promise<Channel[]> {
  if (planned.length === 0) return [];
  const channels = await context.tx.channels.create(planned);
  // This may be the first place where messages expire.
  if (channels[0] && channels[0].message_retention_days !== null) await lookForExpiredMessages(context);
  return channels;
}

/**
 * Sends the events of new channels and of their first subscriptions, then posts the first messages.
 * @param options `isComplete`: false if users remain: call `introduceChannels` when they are subscribed
 */
export async function openChannels(
  context: AccountContext,
  channels: readonly Channel[],
  joined: NewSubscriptions,
  options: { announce: boolean; isComplete: boolean },
): Promise<void> {
  await emitCreated(context, channels);
  await emitNewSubscriptions(context, joined);
  if (options.isComplete) await introduceChannels(context, channels, options);
}

/** Sends `stream/create` to all users who may know of the new channels. */
async function emitCreated(context: AccountContext, channels: readonly Channel[]): Promise<void> {
  const [first] = channels;
  if (!first) return;
  const views = await channelViews(context);
  // Subscribers get the channels when they are subscribed. The other users are the same for all channels, because the
  // channels share their settings.
  const { channel: _subscribers, ...audience } = await channelAudience(context, first);
  for (const part of chunked(channels, MAX_CHANNELS_PER_EVENT)) {
    const streams = part.map((channel) => views.of(channel));
    context.emit(audience, channelCreated({ streams }));
  }
  if (first.is_default) await emitDefaultChannels(context);
}

/** Channels per announcement. 100 names of maximum length fit into one message. */
const MAX_ANNOUNCED = 100;

/**
 * Posts the opening messages and the announcement. Called when all users are subscribed: with protected history, later
 * subscribers could never read these messages.
 */
export async function introduceChannels(
  context: AccountContext,
  channels: readonly Channel[],
  { announce }: { announce: boolean },
) {
  const { organization, actor } = context;
  const isWanted = organizationSetting(organization, 'send_channel_events_messages');
  const notices = channels.map((channel) => ({ channel, content: openingText(channel, actor) }));
  const { messages, firsts } = await storeNotices(context, isWanted ? notices : [], {
    topic: 'channel events',
    cause: actor,
  });
  emitMessages(context, messages);
  if (announce) await announceChannels(context, channels);
  await emitFirstMessages(context, firsts);
}

function openingText(channel: Channel, actor: User): string {
  const kind = channel.is_web_public ? 'Web-public' : channel.invite_only ? 'Private' : 'Public';
  const about = channel.description === '' ? '*It has no description yet.*' : quotation(channel.description);
  return `**${kind}** channel created by ${silentMention(actor)}.\n\n${about}`;
}

async function announceChannels(context: AccountContext, channels: readonly Channel[]) {
  const { tx, organization, actor } = context;
  const announcements = organizationSetting(organization, 'new_stream_announcements_stream_id');
  const target = channels.length > 0 && announcements !== null ? await tx.channels.byId(announcements) : undefined;
  if (!target || target.is_archived) return;
  for (const named of chunked(channels, MAX_ANNOUNCED)) {
    const what = `the ${named.length === 1 ? 'channel' : 'channels'} ${named.map(channelLink).join(', ')}`;
    await notifyChannel(context, target, {
      topic: 'new channels',
      content: `${silentMention(actor)} created ${what}.`,
      cause: actor,
    });
  }
}
