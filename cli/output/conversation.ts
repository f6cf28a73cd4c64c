import { day, moment, timeOfDay } from './cells.ts';
import { marks, reactionLine } from './message-marks.ts';
import { oneLine, plain } from './sanitize.ts';
import type { Terminal } from './terminal.ts';
import { wrap } from './width.ts';

export interface Shown {
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
  reactions?: readonly { emoji_name: string; emoji_code: string; reaction_type: string; user_id: number }[];
}

/** Seconds within which messages of one person are shown under one name. */
const BREATH = 600;
const BODY = '    ';

/** `general > lunch`, or the people of a direct conversation. */
export function placeOf(message: Shown): string {
  if (typeof message.display_recipient === 'string') return channelPlace(message.display_recipient, message.subject);
  return `direct: ${message.display_recipient.map((person) => oneLine(person.full_name)).join(', ')}`;
}

/** The people of a direct conversation beside the sender of the message; none where they write to themselves. */
export function othersIn({ display_recipient, sender_id }: Shown): string[] {
  if (typeof display_recipient === 'string') return [];
  return display_recipient.filter(({ id }) => id !== sender_id).map(({ full_name }) => oneLine(full_name));
}

export function channelPlace(channel: string, topic: string): string {
  return `${oneLine(channel)} > ${oneLine(topic) || '(no topic)'}`;
}

/**
 * Messages as a conversation: a heading wherever the place changes, a line wherever the day does, then
 * who, when and what. Under a single heading the days are its parts, else the headings are parts of days.
 */
export function conversation(messages: readonly Shown[], terminal: Terminal): string {
  const lines: string[] = [];
  const places = messages.map(placeOf);
  const isOnePlace = new Set(places).size === 1;
  const heading = (text: string) => terminal.style('bold', text);
  if (isOnePlace) lines.push(heading(places[0] as string));
  let previous: Shown | undefined;
  for (const [index, message] of messages.entries()) {
    const before = previous;
    const isNewDay = before === undefined || day(before.timestamp) !== day(message.timestamp);
    const isNewPlace = !isOnePlace && (isNewDay || places[index] !== places[index - 1]);
    if (before !== undefined && (isNewDay || isNewPlace)) lines.push('');
    if (isNewDay) lines.push(terminal.style('dim', `— ${day(message.timestamp)} —`));
    if (isNewPlace) lines.push(heading(places[index] as string));
    const goesOn =
      before !== undefined &&
      !isNewDay &&
      !isNewPlace &&
      before.sender_id === message.sender_id &&
      !before.is_me_message &&
      Math.abs(message.timestamp - before.timestamp) <= BREATH;
    lines.push(...oneMessage(message, { named: !goesOn && !message.is_me_message }, terminal));
    previous = message;
  }
  return lines.join('\n');
}

function oneMessage(message: Shown, { named }: { named: boolean }, terminal: Terminal): string[] {
  const { flags, id, timestamp } = message;
  const isUnread = flags !== undefined && !flags.includes('read');
  const stamp = terminal.style('dim', [timeOfDay(timestamp), `#${id}`, marks(message)].join('  ').trimEnd());
  const name = terminal.style('cyan', oneLine(message.sender_full_name));
  const header = named ? `${name}  ${stamp}` : stamp;
  const bullet = isUnread ? terminal.style('yellow', '•') : ' ';
  const reactions = reactionLine(message.reactions ?? []);
  return [
    `${bullet} ${header}`,
    ...body(message.is_me_message ? asDeed(message) : message.content, terminal),
    ...(reactions === '' ? [] : [`${BODY}${reactions}`]),
  ];
}

/** "/me waves", as who does what. */
function asDeed({ sender_full_name, content }: Shown): string {
  return `* ${oneLine(sender_full_name)} ${content.replace(/^\/me\s+/, '')}`;
}

/** Text of others, below and inside of what says whose it is. */
export function body(text: string, terminal: Terminal): string[] {
  const cells = terminal.columns === undefined ? undefined : terminal.columns - BODY.length;
  return plain(text)
    .split('\n')
    .flatMap((line) => (cells === undefined ? [line] : wrap(line, cells)))
    .map((line) => `${BODY}${line}`.trimEnd());
}

export function looksLikeMessages(
  rows: readonly Record<string, unknown>[],
): rows is (Shown & Record<string, unknown>)[] {
  return rows.every((row) => 'display_recipient' in row && 'content' in row);
}

/** A new message on one line. */
export function messageLine(message: Shown, terminal: Terminal): string {
  const when = terminal.style('dim', moment(message.timestamp));
  const who = terminal.style('cyan', oneLine(message.sender_full_name));
  return `${when}  ${terminal.style('bold', placeOf(message))}  ${who}: ${oneLine(message.content)}`;
}

export function isMessage(value: unknown): value is Shown {
  return typeof value === 'object' && value !== null && looksLikeMessages([value as Record<string, unknown>]);
}
