import { present } from '../../../base/present.ts';
import { MAX_MESSAGE_LENGTH } from '../../../rules/names.ts';
import { link, webAddress } from './format.ts';

/** How texts show what they refer to, by its ID and the label that the text may have. */
export interface SlackReferences {
  user(id: string, label: string): string;
  channel(id: string, label: string): string;
  group(id: string, label: string): string;
  link(label: string, url: string): string;
}

/** Webhooks know no accounts and channels, so mentions become text. */
export const AS_TEXT: SlackReferences = {
  user: (id, label) => `@${label.replace(/^@/, '') || id}`,
  channel: (id, label) => `#${label.replace(/^#/, '') || id}`,
  group: (_id, label) => `@${label.replace(/^@/, '') || 'group'}`,
  link,
};

/**
 * Slack's mrkdwn as Markdown. Every expression below ends at the next sign of its own kind, so the time grows with the
 * length alone.
 */
export function markdownOf(mrkdwn: string, references = AS_TEXT): string {
  const parts = mrkdwn.slice(0, MAX_MESSAGE_LENGTH).split('```');
  // An even number of parts: the last fence does not end.
  const last = parts.length % 2 === 0 ? parts.pop() : undefined;
  if (last !== undefined) parts.push(`${parts.pop()}\`\`\`${last}`);
  return parts
    .map((part, at) => (at % 2 === 1 ? codeBlock(plainText(part)) : inlineMarkdown(part, references)))
    .join('')
    .trim();
}

/** Without formatting. Slack writes `&`, `<` and `>` as entities in every text. */
export function plainText(text: string): string {
  return decoded(withoutContacts(text.slice(0, MAX_MESSAGE_LENGTH)).replace(/<([^<>|\n]*)(?:\|[^<>\n]*)?>/g, unlinked));
}

const unlinked = (whole: string, inside: string) => (webAddress(inside) === '' ? whole : inside);

/** Slack makes links of e-mail addresses and telephone numbers, also in code. Their authors wrote the label. */
const withoutContacts = (text: string) =>
  text.replace(/<(?:mailto|tel):([^<>|\n]+)(?:\|([^<>\n]*))?>/gi, (_, target: string, label = '') => label || target);

/** On lines of its own. */
export function codeBlock(code: string): string {
  const text = code.replace(/^\n+/, '').trimEnd();
  return text === '' ? '' : `\n\`\`\`\n${text}\n\`\`\`\n`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };
const decoded = (text: string) => text.replace(/&(?:amp|lt|gt);/g, (entity) => present(ENTITIES[entity]));

/** Stands for a part that formatting does not change. For private use in Unicode. */
const KEPT = '\ue000';

function inlineMarkdown(text: string, references: SlackReferences): string {
  const kept: string[] = [];
  const keep = (part: string) => {
    kept.push(part.startsWith('`') ? decoded(withoutContacts(part)) : reference(part.slice(1, -1), references));
    return KEPT;
  };
  const rest = text.replaceAll(KEPT, '').replace(/`[^`\n]+`|<[^<>\n]+>/g, keep);
  return decoded(emphasized(rest)).replaceAll(KEPT, () => kept.shift() ?? '');
}

const BOLD = /(?<![\p{L}\p{N}*])\*(?!\s)([^*\n]+)(?<!\s)\*(?![\p{L}\p{N}*])/gu;
const ITALIC = /(?<![\p{L}\p{N}_])_(?!\s)([^_\n]+)(?<!\s)_(?![\p{L}\p{N}_])/gu;
const STRUCK = /(?<![\p{L}\p{N}~])~(?!\s)([^~\n]+)(?<!\s)~(?![\p{L}\p{N}~])/gu;

const emphasized = (text: string) => text.replace(BOLD, '**$1**').replace(ITALIC, '*$1*').replace(STRUCK, '~~$1~~');

/** What is between `<` and `>`: an address, a mention or a date. */
function reference(inside: string, references: SlackReferences): string {
  const at = inside.indexOf('|');
  const target = at === -1 ? inside : inside.slice(0, at);
  const label = decoded(at === -1 ? '' : inside.slice(at + 1));
  const name = target.slice(1);
  if (target.startsWith('@')) return references.user(name, label);
  if (target.startsWith('#')) return references.channel(name, label);
  if (target.startsWith('!')) return special(name, label, references);
  const url = decoded(target);
  if (webAddress(url) === '') return decoded(`<${inside}>`);
  return references.link(label || url.replace(/^(?:mailto|tel):/i, ''), url);
}

function special(name: string, label: string, references: SlackReferences): string {
  const [kind = '', value = ''] = name.split('^', 2);
  if (kind === 'date') return timeOf(Number(value), label);
  return kind === 'subteam' ? references.group(value, label) : `@${label.replace(/^@/, '') || kind}`;
}

const MAX_SECONDS = 8_640_000_000_000;

/** A time, which each reader sees in their own time zone. @param seconds since the epoch */
export function timeOf(seconds: number, otherwise = ''): string {
  if (!(seconds > 0 && seconds < MAX_SECONDS)) return otherwise;
  return `<time:${new Date(seconds * 1000).toISOString().slice(0, 19)}Z>`;
}
