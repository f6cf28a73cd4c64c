import { type KnownChannel, knownChannels } from '../../access/channels.ts';
import { visibleUserIds } from '../../access/users.ts';
import type { ReadContext } from '../../kernel/context.ts';

import type { References, RenderData } from '../../markdown/data.ts';
import { parseMessage } from '../../markdown/references.ts';
import { renderMessage } from '../../markdown/render.ts';
import { hasSharedHistory } from '../../rules/channels.ts';
import { organizationSetting } from '../../rules/organization-settings.ts';
import { systemGroupLabel } from '../../rules/system-groups.ts';
import type { Group, User } from '../../storage/storage.ts';
import { pictureAddress } from '../organization/custom-emoji/view.ts';

/** Whom a message mentions, not silently. */
export interface Mentions {
  users: readonly number[];
  groups: readonly Group[];
  /** Everybody in the channel; everybody in the topic. */
  wildcards: { channel: boolean; topic: boolean };
}

export interface RenderedContent {
  html: string;
  isMe: boolean;
  mentions: Mentions;
}

/**
 * Renders Markdown with what its writer may refer to; what it does not refer to is not looked up. Where
 * the software writes in somebody's name, the `sender` is another.
 */
export async function renderContent(
  scope: ReadContext,
  writer: User,
  content: string,
  sender: User = writer,
): Promise<RenderedContent> {
  const { tx, organization, services } = scope;
  const references = parseMessage(content);
  const groups = references.groups.length > 0 ? await tx.groups.all() : [];
  const channels = await linkableChannels(scope, writer, references);
  const data: RenderData = {
    users: await mentionableUsers(scope, writer, references),
    groups: groups.map((group) => ({ ...group, ...labelOf(group) })),
    channels: channels.map(({ channel }) => channel),
    topics: await newestOfTopics(scope, writer, references, channels),
    customEmoji: await customEmoji(scope, references),
    linkifiers: organization.linkifiers,
    options: {
      realmUrl: services.options.baseUrl,
      translateEmoticons: sender.settings.translate_emoticons === true,
      defaultCodeBlockLanguage: organizationSetting(organization, 'default_code_block_language'),
      emptyTopicName: organizationSetting(organization, 'empty_topic_display_name'),
    },
  };
  const { html, isMe, mentionedUsers, mentionedGroups, wildcards } = renderMessage(content, data);
  const mentioned = groups.filter((group) => mentionedGroups.includes(group.id));
  return { html, isMe, mentions: { users: mentionedUsers, groups: mentioned, wildcards } };
}

function labelOf(group: Group): { label?: string } {
  const label = systemGroupLabel(group.id);
  return label === undefined ? {} : { label };
}

async function mentionableUsers(scope: ReadContext, writer: User, { users: named }: References): Promise<User[]> {
  if (named.length === 0) return [];
  const { tx } = scope;
  const ids = named.map((one) => one.id).filter((id) => id !== undefined);
  const names = named.filter((one) => one.id === undefined).map((one) => one.name ?? '');
  const found = [...(await tx.users.byNames(names)), ...(await tx.users.byIds(ids))];
  if (found.length === 0) return [];
  const visible = await visibleUserIds(scope, writer);
  // Of several with one name the last is meant: somebody active, and then whoever was here first.
  return found
    .filter((user) => !visible || visible.has(user.id))
    .sort((one, other) => Number(one.is_active) - Number(other.is_active) || other.id - one.id);
}

async function linkableChannels(
  scope: ReadContext,
  writer: User,
  { channels: names }: References,
): Promise<KnownChannel[]> {
  if (names.length === 0) return [];
  const channels = (await scope.tx.channels.byNames(names)).filter((channel) => !channel.is_archived);
  if (channels.length === 0) return [];
  return (await knownChannels(scope, writer, channels)).known;
}

/** Of the topics referred to, the newest message that the writer may read. */
async function newestOfTopics(
  { tx }: ReadContext,
  writer: User,
  { topics }: References,
  channels: readonly KnownChannel[],
): Promise<NonNullable<RenderData['topics']>> {
  const readable = new Map(channels.filter((one) => one.readable).map(({ channel }) => [channel.name, channel]));
  return tx.conversations.newestMessages(
    topics.flatMap(({ channel: name, topic }) => {
      const channel = readable.get(name);
      if (!channel) return [];
      return [{ channel_id: channel.id, topic, ...(hasSharedHistory(channel) ? {} : { receivedBy: writer.id }) }];
    }),
  );
}

async function customEmoji(
  { tx, services }: ReadContext,
  { customEmoji: names }: References,
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const active = (await tx.customEmoji.all()).filter((emoji) => !emoji.deactivated);
  return new Map(active.map((emoji) => [emoji.name, pictureAddress(emoji.source_url, services.options.baseUrl)]));
}
