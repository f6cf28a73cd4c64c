/** What may stand before a mention or a link to a channel: the start, white space, an opening delimiter. */
const BEFORE = `(?<![^\\s'"({[/<])`;

export const USER_MENTION = new RegExp(`${BEFORE}@(_?)\\*\\*([^*]+)\\*\\*`, 'g');
export const GROUP_MENTION = new RegExp(`${BEFORE}@(_?)\\*([^*]+)\\*`, 'g');
export const MESSAGE_LINK = new RegExp(`${BEFORE}#\\*\\*([^*>]+)>([^*]*)@(\\d{1,15})\\*\\*`, 'g');
export const TOPIC_LINK = new RegExp(`${BEFORE}#\\*\\*([^*>]+)>([^*]*)\\*\\*`, 'g');
export const CHANNEL_LINK = new RegExp(`${BEFORE}#\\*\\*([^*]+)\\*\\*`, 'g');

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
