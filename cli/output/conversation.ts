import { moment } from './cells.ts';
import { oneLine, plain } from './plain.ts';
import type { Terminal } from './terminal.ts';

interface Shown {
  id: number;
  type: string;
  sender_full_name: string;
  sender_id: number;
  timestamp: number;
  content: string;
  subject: string;
  display_recipient: string | { id: number; full_name: string }[];
}

/** `general > lunch`, or the people of a direct conversation. */
export function placeOf(message: Shown): string {
  if (typeof message.display_recipient === 'string') {
    return `${oneLine(message.display_recipient)} > ${oneLine(message.subject) || '(no topic)'}`;
  }
  return `direct: ${message.display_recipient.map((person) => oneLine(person.full_name)).join(', ')}`;
}

/** Messages as a conversation: a heading wherever the place changes, then who, when and what. */
export function conversation(messages: readonly Shown[], terminal: Terminal): string {
  const lines: string[] = [];
  let place: string | undefined;
  for (const message of messages) {
    const here = placeOf(message);
    if (here !== place) {
      if (place !== undefined) lines.push('');
      lines.push(terminal.style('bold', here));
      place = here;
    }
    const who = terminal.style('cyan', oneLine(message.sender_full_name));
    lines.push(`  ${who}  ${terminal.style('dim', `${moment(message.timestamp)}  #${message.id}`)}`);
    for (const line of plain(message.content).split('\n')) lines.push(line === '' ? '' : `    ${line}`);
  }
  return lines.join('\n');
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
