import { charactersOf, present, resolveToggle } from '../../lib/internal.ts';
import type { Terminal } from './terminal.ts';
import { day, moment, oneLine, sanitize, timeOfDay, wrap } from './text.ts';

/** The fields of a message to print. The content is Markdown. */
export interface Message {
  id: number;
  type: string;
  sender_full_name: string;
  sender_id: number;
  timestamp: number;
  content: string;
  subject: string;
  display_recipient: string | { id: number; full_name: string }[];
  stream_id?: number;
  is_me_message?: boolean;
  last_edit_timestamp?: number;
  last_moved_timestamp?: number;
  flags?: readonly string[];
  reactions?: readonly (Emoji & { user_id: number })[];
}

/** Messages of a user within this time have one name above them. */
const HEADING_SECONDS = 600;
const INDENT = '    ';

/** `general > lunch`, or the users of a direct conversation. */
function placeOf(message: Message): string {
  if (typeof message.display_recipient === 'string') return channelPlace(message.display_recipient, message.subject);
  return `direct: ${message.display_recipient.map((person) => oneLine(person.full_name)).join(', ')}`;
}

/** The recipients of a direct message without its sender. Empty for a message to yourself. */
export function othersIn({ display_recipient, sender_id }: Message): string[] {
  if (typeof display_recipient === 'string') return [];
  return display_recipient.filter(({ id }) => id !== sender_id).map(({ full_name }) => oneLine(full_name));
}

/** The destination of a message, for a sentence: `"general > lunch"`, `Ben`, `yourself`. */
export function destination(message: Message): string {
  const { display_recipient, subject } = message;
  if (typeof display_recipient === 'string') return `"${channelPlace(display_recipient, subject)}"`;
  return othersIn(message).join(', ') || 'yourself';
}

export const channelPlace = (channel: string, topic: string): string =>
  `${oneLine(channel)} > ${oneLine(topic) || '(no topic)'}`;

/** Prints messages with a heading for each place and a line for each day. */
export function conversation(messages: readonly Message[], terminal: Terminal): string {
  const lines: string[] = [];
  const places = messages.map(placeOf);
  const isOnePlace = new Set(places).size === 1;
  const heading = (text: string) => terminal.style('bold', text);
  if (isOnePlace) lines.push(heading(present(places[0])));
  for (const [index, message] of messages.entries()) {
    const before = messages[index - 1];
    const isNewDay = before === undefined || day(before.timestamp) !== day(message.timestamp);
    const isNewPlace = !isOnePlace && (isNewDay || places[index] !== places[index - 1]);
    if (before !== undefined && (isNewDay || isNewPlace)) lines.push('');
    if (isNewDay) lines.push(terminal.style('dim', `— ${day(message.timestamp)} —`));
    if (isNewPlace) lines.push(heading(present(places[index])));
    const isNamed = isNewDay || isNewPlace || !continues(message, before);
    lines.push(...oneMessage(message, { named: isNamed && !message.is_me_message }, terminal));
  }
  return lines.join('\n');
}

/** Whether the name above the message before is also that of this message. */
const continues = (message: Message, before: Message) =>
  before.sender_id === message.sender_id &&
  !before.is_me_message &&
  Math.abs(message.timestamp - before.timestamp) <= HEADING_SECONDS;

function oneMessage(message: Message, { named }: { named: boolean }, terminal: Terminal): string[] {
  const { flags, id, timestamp } = message;
  const isUnread = flags !== undefined && !flags.includes('read');
  const stamp = terminal.style('dim', [timeOfDay(timestamp), `#${id}`, marks(message)].join('  ').trimEnd());
  const name = terminal.style('cyan', oneLine(message.sender_full_name));
  const header = named ? `${name}  ${stamp}` : stamp;
  const bullet = isUnread ? terminal.style('yellow', '•') : ' ';
  const reactions = reactionLine(message.reactions ?? []);
  return [
    `${bullet} ${header}`,
    ...body(message.is_me_message ? meAction(message) : message.content, terminal),
    ...(reactions === '' ? [] : [`${INDENT}${reactions}`]),
  ];
}

const FLAGS: Readonly<Record<string, string>> = {
  mentioned: 'mentions you',
  stream_wildcard_mentioned: 'mentions everybody',
  topic_wildcard_mentioned: 'mentions the topic',
  starred: 'starred',
  collapsed: 'collapsed',
};

function marks({ last_edit_timestamp, last_moved_timestamp, flags = [] }: Message): string {
  return [
    ...(last_edit_timestamp === undefined ? [] : ['edited']),
    ...(last_moved_timestamp === undefined ? [] : ['moved']),
    ...Object.entries(FLAGS).flatMap(([flag, description]) => (flags.includes(flag) ? [description] : [])),
  ].join(', ');
}

/** `👍 2  :parrot: 1`, in the order of the first reaction. */
export function reactionLine(reactions: readonly Emoji[]): string {
  const counts = new Map<string, number>();
  for (const reaction of reactions) {
    const shown = formatEmoji(reaction);
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  return [...counts].map(([shown, count]) => `${shown} ${count}`).join('  ');
}

const meAction = ({ sender_full_name, content }: Message): string =>
  `* ${oneLine(sender_full_name)} ${content.replace(/^\/me\s+/, '')}`;

export function body(text: string, terminal: Terminal): string[] {
  const cells = (terminal.columns ?? Number.POSITIVE_INFINITY) - INDENT.length;
  return wrap(sanitize(text), cells).map((line) => `${INDENT}${line}`.trimEnd());
}

export function messageLine(message: Message, terminal: Terminal): string {
  const when = terminal.style('dim', moment(message.timestamp));
  const who = terminal.style('cyan', oneLine(message.sender_full_name));
  return `${when}  ${terminal.style('bold', placeOf(message))}  ${who}: ${oneLine(message.content)}`;
}

export const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'display_recipient' in value && 'content' in value;

type Emoji = { emoji_name: string; emoji_code: string; reaction_type: string };

/** An emoji for the terminal: the character, or `:name:` for a custom emoji. */
export function formatEmoji({ emoji_name, emoji_code, reaction_type }: Emoji): string {
  const text = reaction_type === 'unicode_emoji' ? charactersOf(emoji_code) : '';
  if (text === '') return `:${oneLine(emoji_name)}:`;
  // Terminals show hearts and similar characters as text without a variation selector.
  return oneLine(/^(?!\p{Emoji_Presentation})\p{Extended_Pictographic}$/u.test(text) ? `${text}\ufe0f` : text);
}

export function changeOfTopic(from: string, to: string): string {
  const resolved = resolveToggle(from, to);
  return resolved ? `marked the topic as ${resolved}` : `changed the topic from "${oneLine(from)}" to "${oneLine(to)}"`;
}
