import { BadRequest, StreamWildcardMentionNotAllowed, TopicWildcardMentionNotAllowed } from '../../base/errors.ts';
import { allInOrder } from '../../base/lists.ts';
import { present } from '../../base/present.ts';
import { flag, forPrograms, optional } from '../../base/schemas.ts';
import { uploadKey } from '../../markdown/addresses.ts';
import type { References, RenderData } from '../../markdown/data.ts';
import { parseMessage, renderMessage } from '../../markdown/render.ts';
import type { User } from '../../model/users.ts';
import { hasSharedHistory } from '../../rules/channels.ts';
import { MAX_MESSAGE_LENGTH } from '../../rules/names.ts';
import { organizationSetting } from '../../rules/organization-settings.ts';
import { groupPermission, hasPermission } from '../../rules/permissions.ts';
import { isBot, systemGroupLabel } from '../../rules/roles.ts';
import { checkLength, type Truncation, truncate } from '../../rules/topics.ts';
import type { Upload } from '../../storage/interface/uploads.ts';
import { groupMembers } from '../../viewer/audiences.ts';
import type { ReadContext } from '../../viewer/context.ts';
import type { Mentions } from '../../viewer/message-changes.ts';
import { viewerOf } from '../../viewer/viewer.ts';
import { onSite } from '../../views/avatars.ts';
import { uploadedImages } from '../uploads/pictures.ts';
import { readableUploads } from '../uploads/upload-access.ts';

/** Content of a message that was edited to be empty. */
const DELETED_CONTENT = '(deleted)';

const TRUNCATED = '\n[message truncated]';

/** The parameter of operations that store a topic or content. Transports of the HTTP API set it by default. */
export const truncatable = {
  truncate: optional(
    forPrograms(flag),
    'Cut a topic or content that is too long. If false, the call is refused. Default: true over HTTP, false in process.',
  ),
};

/**
 * Trims the content.
 * @throws BadRequest if the result is empty, unless it `mayBeEmpty`, or if it is too long, without `truncate`
 */
export function messageContent(given: string, { mayBeEmpty = false, ...truncation }: ContentTerms): string {
  const content = given.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
  if (content === '' && !mayBeEmpty) throw new BadRequest('A message cannot be empty.');
  return renderable(content || DELETED_CONTENT, truncation);
}

interface ContentTerms extends Truncation {
  mayBeEmpty?: boolean;
}

/** @throws BadRequest for NUL characters, or for content that is too long, without `truncate` */
export function renderable(content: string, { truncate: mayBeCut }: Truncation): string {
  if (content.includes('\0')) throw new BadRequest('A message cannot contain NUL characters.');
  if (!mayBeCut) checkLength('content', content, MAX_MESSAGE_LENGTH);
  return truncate(content, MAX_MESSAGE_LENGTH, TRUNCATED);
}

/** Clients ignore options and tasks with a higher number. */
export const MAX_INDEX = 1_000;

/** The content of the first submessage of a message, as JSON. */
export interface Widget {
  widget_type: string;
  extra_data: object;
}

/** The poll or to-do list that the content of a new message starts: `/poll QUESTION` or `/todo TITLE`, then lines. */
export function widgetIn(content: string): Widget | undefined {
  const [command, type] = /^\/(poll|todo)(?!\S)/.exec(content) ?? [];
  if (command === undefined) return undefined;
  const [first = '', ...lines] = content.slice(command.length).split(/\r\n|[\n\r\u2028\u2029]/);
  // The lines may be a Markdown list.
  const items = lines.map((line) => line.trim().replace(/^[-*]?\s*/, '')).filter((item) => item !== '');
  const listed = items.slice(0, MAX_INDEX);
  const extra_data =
    type === 'poll'
      ? { question: first.trim(), options: listed }
      : { task_list_title: first.trim(), tasks: listed.map(taskIn) };
  return { widget_type: present(type), extra_data };
}

function taskIn(item: string): { task: string; desc: string } {
  const end = item.indexOf(': ');
  return end === -1 ? { task: item, desc: '' } : { task: item.slice(0, end).trim(), desc: item.slice(end + 2).trim() };
}

export interface RenderedContent {
  html: string;
  isMe: boolean;
  mentions: Mentions;
  /** Linked files that the writer can access. */
  uploads: readonly Upload[];
  /** Addresses of linked pages whose previews the message shows. */
  previewed: readonly string[];
}

/** Linked pages of a message that have previews. */
const MAX_PREVIEWED = 5;

/** As in the reference server, messages of bots have none: programs can send thousands of links. */
function showsLinkPreviews({ organization, services }: ReadContext, sender: User): boolean {
  return (
    services.options.linkPreviews !== undefined &&
    organizationSetting(organization, 'inline_url_embed_preview') &&
    !isBot(sender)
  );
}

/**
 * Renders Markdown. Links and mentions work only for users, channels and files that the writer can see. Looks up only
 * what the text refers to.
 */
export async function renderContent(context: ReadContext, writer: User, content: string) {
  return present((await renderContents(context, writer, [content], writer)).get(content));
}

/**
 * The same for several texts, by text, with shared lookups. In messages of the software, `sender` differs.
 * @param options `linksAs`: the user who must see a channel for a link to it; default: the writer
 */
export async function renderContents(
  context: ReadContext,
  writer: User,
  contents: readonly string[],
  sender: User,
  { linksAs = writer }: { linksAs?: User } = {},
) {
  const texts = [...new Set(contents)];
  const { tx, organization, services } = context;
  const parsed = texts.map(parseMessage);
  const references: References = {
    users: parsed.flatMap(({ users }) => users),
    groups: parsed.flatMap(({ groups }) => groups),
    channels: parsed.flatMap(({ channels }) => channels),
    topics: parsed.flatMap(({ topics }) => topics),
    uploads: parsed.flatMap(({ uploads }) => uploads),
    customEmoji: parsed.flatMap(({ customEmoji }) => customEmoji),
  };
  const [groups, { channels, topics }, uploads, users, emoji] = await allInOrder([
    references.groups.length > 0 ? tx.groups.headsByNames(references.groups) : [],
    linkablePlaces(context, linksAs, references),
    linkedUploads(context, writer, references),
    mentionableUsers(context, writer, references),
    customEmoji(context, references),
  ]);
  const data: RenderData = {
    users,
    groups: groups.map((group) => ({ ...group, label: systemGroupLabel(group.id) })),
    channels,
    topics,
    customEmoji: emoji,
    linkifiers: organization.linkifiers,
    ...(references.uploads.length > 0 ? { uploads: uploadedImages(uploads, organization.site_path) } : {}),
    options: {
      realmUrl: services.options.baseUrl,
      translateEmoticons: sender.settings.translate_emoticons === true,
      defaultCodeBlockLanguage: organizationSetting(organization, 'default_code_block_language'),
      emptyTopicName: organizationSetting(organization, 'empty_topic_display_name'),
    },
  };
  const mayPreview = showsLinkPreviews(context, sender);
  return new Map(
    texts.map((content): [string, RenderedContent] => {
      const rendered = renderMessage(content, data);
      const { html, isMe, mentionedUsers, mentionedGroups, wildcards } = rendered;
      const mentioned = groups.filter((group) => mentionedGroups.includes(group.id));
      const linkedKeys = new Set(rendered.attachmentPaths.map(uploadKey));
      const mentions = { users: mentionedUsers, groups: mentioned, wildcards };
      const previewed = mayPreview ? rendered.previewable.slice(0, MAX_PREVIEWED) : [];
      const linked = uploads.filter(({ file_key }) => linkedKeys.has(file_key));
      return [content, { html, isMe, mentions, uploads: linked, previewed }];
    }),
  );
}

async function mentionableUsers(context: ReadContext, writer: User, { users: named }: References): Promise<User[]> {
  if (named.length === 0) return [];
  const { tx } = context;
  const ids = named.map((mention) => mention.id).filter((id) => id !== undefined);
  const names = named.filter((mention) => mention.id === undefined).map((mention) => mention.name ?? '');
  const found = (await Promise.all([tx.users.byNames(names), tx.users.byIds(ids)])).flat();
  if (found.length === 0) return [];
  const visible = await viewerOf(context, writer).visibleUserIds();
  // If several users have the same name, the last is used: active users win, then the lowest ID.
  return found
    .filter((user) => !visible || visible.has(user.id))
    .sort((a, b) => Number(a.is_active) - Number(b.is_active) || b.id - a.id);
}

async function linkablePlaces(context: ReadContext, writer: User, references: References) {
  const { tx } = context;
  const named = references.channels.length > 0 ? await tx.channels.byNames(references.channels) : [];
  const inUse = named.filter((channel) => !channel.is_archived);
  const known = inUse.length > 0 ? (await viewerOf(context, writer).knownChannels(inUse)).known : [];
  const readable = new Map(known.filter(({ readable }) => readable).map(({ channel }) => [channel.name, channel]));
  const topics = references.topics.flatMap(({ channel: name, topic }) => {
    const channel = readable.get(name);
    if (!channel) return [];
    return [{ channel_id: channel.id, topic, ...(hasSharedHistory(channel) ? {} : { receivedBy: writer.id }) }];
  });
  const newest = topics.length > 0 ? await tx.conversations.newestMessages(topics) : [];
  return { channels: known.map(({ channel }) => channel), topics: newest };
}

async function linkedUploads(context: ReadContext, writer: User, { uploads: keys }: References): Promise<Upload[]> {
  if (keys.length === 0) return [];
  return readableUploads(context, writer, await context.tx.uploads.byKeys(keys));
}

async function customEmoji({ tx, organization }: ReadContext, { customEmoji: names }: References) {
  if (names.length === 0) return new Map<string, string>();
  const active = (await tx.customEmoji.all()).filter((emoji) => !emoji.deactivated);
  return new Map(active.map((emoji) => [emoji.name, onSite(emoji.source_url, organization)]));
}

/** The errors of `checkMentions` besides BadRequest. */
export const MENTION_ERRORS = [StreamWildcardMentionNotAllowed, TopicWildcardMentionNotAllowed];

/** All users may use wildcard mentions for up to this many users. */
const MAX_UNRESTRICTED_MENTIONS = 15;

/** Ignores silent mentions. @param conversation without an ID if it does not exist yet */
export async function checkMentions(
  context: ReadContext,
  sender: User,
  { wildcards, groups }: Mentions,
  { id, channel_id }: { id: number | undefined; channel_id: number | null },
): Promise<void> {
  const { tx } = context;
  const usesWildcard = channel_id !== null && (wildcards.channel || wildcards.topic);
  if (usesWildcard && !(await viewerOf(context, sender).may('can_mention_many_users_group'))) {
    const subscribers = wildcards.channel ? (await tx.subscriptions.subscriberIds([channel_id])).get(channel_id) : [];
    if (subscribers && subscribers.length > MAX_UNRESTRICTED_MENTIONS) throw new StreamWildcardMentionNotAllowed();
    const known = wildcards.topic && id !== undefined ? await tx.conversations.voices(id) : [];
    if (new Set([...known, sender.id]).size > MAX_UNRESTRICTED_MENTIONS) throw new TopicWildcardMentionNotAllowed();
  }
  if (groups.length === 0) return;
  const values = groups.map((group) => groupPermission(group, 'can_mention_group'));
  const membership = await viewerOf(context, sender).membershipFor(values);
  for (const group of groups) {
    const of = { kind: 'group', id: group.id, name: group.name } as const;
    const value = groupPermission(group, 'can_mention_group');
    if (!hasPermission(value, membership, { guests: true, setting: 'can_mention_group', of })) {
      throw new BadRequest(
        `You are not allowed to mention the group "${group.name}". Use a silent mention instead: @_*${group.name}*`,
      );
    }
  }
}

/** IDs of users who are mentioned directly or through a group. Some of them may not be able to see the message. */
export async function usersNamed(context: ReadContext, { users, groups }: Mentions): Promise<number[]> {
  if (groups.length === 0) return [...users];
  const ids = groups.map((group) => group.id);
  return [...new Set([...users, ...(await groupMembers(context, ids))])];
}
