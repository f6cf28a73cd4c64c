import { BadRequest } from '../../base/errors.ts';
import {
  choice,
  either,
  falseByDefault,
  flag,
  groupSetting,
  id,
  integer,
  optional,
  text,
  type ValuesOf,
} from '../../base/schemas.ts';
import { renderMarkdown } from '../../markdown/render.ts';
import type { Channel, NewChannel } from '../../model/channels.ts';
import type { GroupSettingValue } from '../../model/groups.ts';
import type { Organization } from '../../model/organization.ts';
import { checkedName, MAX_CHANNEL_NAME_LENGTH } from '../../rules/names.ts';
import { organizationSetting } from '../../rules/organization-settings.ts';
import { CHANNEL_PERMISSIONS, type ChannelPermission, permissionParams } from '../../rules/permission-settings.ts';
import { systemGroupId } from '../../rules/roles.ts';
import type { AccountContext, ReadContext } from '../../viewer/context.ts';

export const TOPICS_POLICIES = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const;

export const retentionValue = either([text(40), integer], 'must be a number of days, realm_default or unlimited');

/** Settings of a new channel. Used by `channels.create` and by `subscriptions.add`, which creates missing channels. */
export const channelSettingParams = {
  announce: falseByDefault('Announce the new channel. This also reveals the name of a private channel.'),
  invite_only: falseByDefault('Make it private.'),
  is_web_public: falseByDefault('Let anyone on the web read it without logging in.'),
  is_default_stream: falseByDefault('Subscribe new users to it.'),
  folder_id: optional(id, 'Channel folder to add it to.'),
  topics_policy: optional(choice(TOPICS_POLICIES), 'Whether the empty topic can, cannot or must be used.', 'inherit'),
  history_public_to_subscribers: optional(
    flag,
    'Let new subscribers read earlier messages. Default: false for private channels. Always true for other channels.',
  ),
  message_retention_days: optional(retentionValue, 'Days to keep messages, `realm_default` (default) or `unlimited`.'),
  ...permissionParams(CHANNEL_PERMISSIONS, groupSetting),
};

export type ChannelSettings = ValuesOf<typeof channelSettingParams>;

/** `message_retention_days` as stored: null for the setting of the organization, -1 for unlimited. */
export function retentionDays(given: string | number | undefined): number | null {
  if (given === undefined || given === 'realm_default') return null;
  if (given === 'unlimited') return -1;
  if (typeof given === 'number' && given >= 1) return given;
  throw new BadRequest('message_retention_days must be a number of days (1 or more), realm_default or unlimited.');
}

export async function checkTopicsPolicyChange(context: AccountContext, policy: string): Promise<void> {
  if (policy !== 'inherit') await context.viewer.check('can_set_topics_policy_group', 'set the topics policy');
}

/** Needs the organization's `can_set_delete_message_policy_group`, except to set the permission to `role:nobody`. */
export async function checkDeletePolicyChange(
  context: AccountContext,
  key: ChannelPermission,
  value: GroupSettingValue,
): Promise<void> {
  if (key !== 'can_delete_any_message_group' && key !== 'can_delete_own_message_group') return;
  if (value === systemGroupId('role:nobody')) return;
  await context.viewer.check('can_set_delete_message_policy_group', 'change who can delete messages in channels');
}

/** Web-public channels need a server option, a setting of the organization, and a permission of the user. */
export async function checkWebPublic(context: AccountContext): Promise<void> {
  const { services, organization } = context;
  if (!services.options.webPublicChannels || !organizationSetting(organization, 'enable_spectator_access')) {
    throw new BadRequest(
      'Web-public channels are off. Turn on webPublicChannels in the server options and enable_spectator_access in the organization.',
    );
  }
  await context.viewer.check('can_create_web_public_channel_group', 'create web-public channels');
}

/** The folder with this ID, and all folders. Includes archived folders. */
export async function accessFolder({ tx }: Pick<ReadContext, 'tx'>, id: number) {
  const folders = await tx.channels.folders();
  const folder = folders.find((folder) => folder.id === id);
  if (!folder) throw new BadRequest(`There is no channel folder with ID ${id}.`);
  return { folder, folders };
}

export async function checkFolder(context: Pick<ReadContext, 'tx'>, id: number): Promise<void> {
  const { folder } = await accessFolder(context, id);
  if (folder.is_archived) throw new BadRequest(`The channel folder with ID ${id} is archived.`);
}

/** Valid kinds: web-public, public, and private with shared or protected history. */
export function isValidKind(channel: Pick<Channel, 'invite_only' | 'history_public_to_subscribers' | 'is_web_public'>) {
  if (channel.is_web_public) return !channel.invite_only && channel.history_public_to_subscribers;
  return channel.invite_only || channel.history_public_to_subscribers;
}

export const channelName = (given: string) => checkedName('The channel name', given, MAX_CHANNEL_NAME_LENGTH);

export function channelDescription(given: string, linkifiers: Organization['linkifiers']) {
  // A control character takes six bytes in JSON.
  const description = given.replace(/\r\n|\p{Cc}/gu, ' ').trim();
  return { description, rendered_description: renderMarkdown(description, linkifiers) };
}

/* Every client loads all channels at start, so these limits apply to all channels of an organization together. */

/** Including archived channels. */
const MAX_CHANNELS = 20_000;
/** Names, descriptions (Markdown and HTML) and permissions. Enough for 10,000 channels with 1,000 bytes each. */
const MAX_BYTES = 10_000_000;
/** Call it after a change, or before creating the `planned` channels. */
export async function checkChannelLimits({ tx }: Pick<ReadContext, 'tx'>, planned: readonly NewChannel[] = []) {
  const there = await tx.channels.weight();
  const channels = there.channels + planned.length;
  const bytes = planned.reduce((sum, channel) => sum + weightOf(channel), there.bytes);
  if (channels > MAX_CHANNELS) {
    throw new BadRequest(`An organization can have at most ${MAX_CHANNELS} channels, including archived channels.`);
  }
  if (bytes > MAX_BYTES) {
    throw new BadRequest(
      `All channels together can have at most ${MAX_BYTES} bytes of names, descriptions (Markdown and HTML) and permissions. In permissions, use groups instead of single users.`,
    );
  }
}

function weightOf({ name, description, rendered_description, settings }: NewChannel): number {
  return Buffer.byteLength(name + description + rendered_description + JSON.stringify(settings));
}
