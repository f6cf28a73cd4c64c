import { cell } from './cells.ts';
import { isMessage, messageLine } from './conversation.ts';
import type { Terminal } from './terminal.ts';

/** An event on one line: a message as such, anything else as its type and fields. */
export function eventLine(event: Readonly<Record<string, unknown>>, terminal: Terminal): string {
  const { id: _id, type, op, message, ...rest } = event;
  if (type === 'message' && isMessage(message)) return messageLine(message, terminal);
  const title = op === undefined ? String(type) : `${String(type)} ${String(op)}`;
  const fields = Object.entries({ ...(message === undefined ? {} : { message }), ...rest })
    .map(([name, value]) => `${name}=${cell(name, value)}`)
    .join('  ');
  return `${terminal.style('bold', title)}  ${fields}`.trimEnd();
}
