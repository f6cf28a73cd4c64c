import { normalizeSource } from './blocks/block.ts';
import type { References } from './data.ts';
import { CHANNEL_LINK, GROUP_MENTION, readMention, TOPIC_LINK, USER_MENTION, wildcardOf } from './inline/mentions.ts';

const UPLOAD = '/user_uploads/';
const UPLOADED = /\/user_uploads\/([0-9]{1,9}\/[0-9a-f]{1,2}\/[\w-]{24})\//g;

/** Most names of one kind that are looked up for a message. */
const MAX_LOOKED_UP = 300;

/**
 * Names that a message may refer to, read from its Markdown without rendering. Includes names in code and quotes, so
 * use it only for lookups, not to find mentions.
 */
export function parseMessage(content: string): References {
  const references: References = {
    users: [],
    groups: [],
    channels: [],
    topics: [],
    uploads: [],
    customEmoji: [],
  };
  const source = normalizeSource(content);
  if (source.includes('@')) readMentions(source, references);
  if (source.includes('#**')) readChannels(source, references);
  if (source.includes(UPLOAD)) references.uploads = unique(source.matchAll(UPLOADED));
  if (source.includes(':')) references.customEmoji = unique(source.matchAll(/:([\w+-]+)(?=:)/g));
  return references;
}

function readMentions(content: string, references: References): void {
  const texts = new Set<string>();
  for (const [, , name = ''] of content.matchAll(USER_MENTION)) {
    if (!wildcardOf(name) && texts.size < MAX_LOOKED_UP) texts.add(name);
  }
  references.users = [...texts].map(readMention);
  references.groups = unique(content.matchAll(GROUP_MENTION), 2);
}

function readChannels(content: string, references: References): void {
  const channels = new Set(unique(content.matchAll(CHANNEL_LINK)));
  const topics = new Map<string, { channel: string; topic: string }>();
  for (const [, channel = '', topic = ''] of content.matchAll(TOPIC_LINK)) {
    if (topics.size >= MAX_LOOKED_UP) break;
    channels.add(channel);
    topics.set(`${channel}>${topic}`, { channel, topic });
  }
  references.channels = [...channels];
  references.topics = [...topics.values()];
}

function unique(matches: Iterable<RegExpMatchArray>, group = 1): string[] {
  const found = new Set<string>();
  for (const match of matches) {
    if (found.size >= MAX_LOOKED_UP) break;
    if (match[group]) found.add(match[group]);
  }
  return [...found];
}
