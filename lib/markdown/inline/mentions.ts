import { channelAddress, topicAddress } from '../../rules/narrow.ts';
import type { MentionableUser } from '../data.ts';
import { escapeText } from '../html.ts';
import type { RenderState } from '../render-state.ts';
import { replacing } from './rule.ts';

/** Before a mention or channel link: the start, white space or an opening delimiter. */
const BEFORE_SIGN = `(?<![^\\s'"({[/<])`;

export const USER_MENTION = new RegExp(`${BEFORE_SIGN}@(_?)\\*\\*([^*]+)\\*\\*`, 'g');
export const GROUP_MENTION = new RegExp(`${BEFORE_SIGN}@(_?)\\*([^*]+)\\*`, 'g');

const WILDCARDS: Readonly<Record<string, 'channel' | 'topic'>> = {
  all: 'channel',
  everyone: 'channel',
  channel: 'channel',
  stream: 'channel',
  topic: 'topic',
};

export function wildcardOf(name: string): 'channel' | 'topic' | undefined {
  return Object.hasOwn(WILDCARDS, name) ? WILDCARDS[name] : undefined;
}

/** `name`, `name|id` or `|id`. */
export function readMention(text: string): { name?: string; id?: number } {
  const match = /^(.+)?\|(\d{1,15})$/s.exec(text);
  if (!match) return { name: text };
  return { ...(match[1] === undefined ? {} : { name: match[1] }), id: Number(match[2]) };
}

/** `@**name**`. Stays text if no user has the name, or if the name belongs to another ID. */
export const userMentions = replacing('@', USER_MENTION, ({ state, isQuoted }, _whole, mark, name = '') => {
  const silent = mark === '_' || isQuoted;
  return wildcardMention(name, state, { silent }) ?? userMention(name, state, { silent });
});

/** `@*name*`. */
export const groupMentions = replacing('@', GROUP_MENTION, ({ state, isQuoted }, _whole, mark, name = '') => {
  const group = state.groupByName(name);
  if (!group) return undefined;
  const silent = mark === '_' || isQuoted || group.deactivated;
  if (!silent) state.mentionedGroups.add(group.id);
  const attributes = `class="user-group-mention${silent ? ' silent' : ''}" data-user-group-id="${group.id}"`;
  return `<span ${attributes}>${silent ? '' : '@'}${escapeText(group.label ?? group.name)}</span>`;
});

/** A silent mention notifies no user and has no `@`. */
interface MentionOptions {
  silent: boolean;
}

function wildcardMention(name: string, state: RenderState, { silent }: MentionOptions): string | undefined {
  const kind = wildcardOf(name);
  if (!kind) return undefined;
  if (!silent) state.wildcards[kind] = true;
  const suffix = silent ? ' silent' : '';
  const text = silent ? name : `@${name}`;
  if (kind === 'topic') return `<span class="topic-mention${suffix}">${text}</span>`;
  return `<span class="user-mention channel-wildcard-mention${suffix}" data-user-id="*">${text}</span>`;
}

function userMention(written: string, state: RenderState, options: MentionOptions): string | undefined {
  const user = mentionedUser(written, state);
  if (!user) return undefined;
  const silent = options.silent || !user.is_active;
  if (!silent) state.mentionedUsers.add(user.id);
  const text = escapeText(silent ? user.full_name : `@${user.full_name}`);
  return `<span class="user-mention${silent ? ' silent' : ''}" data-user-id="${user.id}">${text}</span>`;
}

function mentionedUser(written: string, state: RenderState): MentionableUser | undefined {
  const { name, id } = readMention(written);
  if (id === undefined) return state.userByName(name ?? '');
  const user = state.usersById.get(id);
  return user && (name === undefined || name.normalize('NFC') === user.full_name.normalize('NFC')) ? user : undefined;
}

const MESSAGE_LINK = new RegExp(`${BEFORE_SIGN}#\\*\\*([^*>]+)>([^*]*)@(\\d{1,15})\\*\\*`, 'g');
export const TOPIC_LINK = new RegExp(`${BEFORE_SIGN}#\\*\\*([^*>]+)>([^*]*)\\*\\*`, 'g');
export const CHANNEL_LINK = new RegExp(`${BEFORE_SIGN}#\\*\\*([^*]+)\\*\\*`, 'g');

/** `#**channel>topic@id**`. */
export const messageLinks = replacing('#**', MESSAGE_LINK, ({ state }, _whole, name = '', topic = '', message) => {
  const id = state.channelByName(name);
  if (id === undefined) return undefined;
  const href = `${topicAddress(id, name, topic)}/near/${message}`;
  return `<a class="message-link" href="${href}">#${escapeText(name)} &gt; ${topicText(topic, state)} @ 💬</a>`;
});

/** `#**channel>topic**`, the empty topic included; leads to its newest message where that is known. */
export const topicLinks = replacing('#**', TOPIC_LINK, ({ state }, _whole, name = '', topic = '') => {
  const id = state.channelByName(name);
  if (id === undefined) return undefined;
  const latest = state.latestMessage(id, topic);
  const place = topicAddress(id, name, topic);
  const href = latest === undefined ? place : `${place}/with/${latest}`;
  const shown = `#${escapeText(name)} &gt; ${topicText(topic, state)}`;
  return `<a class="stream-topic" data-stream-id="${id}" href="${href}">${shown}</a>`;
});

/** `#**channel**`, by the exact name. */
export const channelLinks = replacing('#**', CHANNEL_LINK, ({ state }, _whole, name = '') => {
  const id = state.channelByName(name);
  const href = id === undefined ? undefined : channelAddress(id, name);
  return href && `<a class="stream" data-stream-id="${id}" href="${href}">#${escapeText(name)}</a>`;
});

function topicText(topic: string, state: RenderState): string {
  if (topic !== '') return escapeText(topic);
  return `<em>${escapeText(state.options.emptyTopicName ?? 'general chat')}</em>`;
}
