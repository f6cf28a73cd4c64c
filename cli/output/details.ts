import { cell } from './cells.ts';
import type { Terminal } from './terminal.ts';
import { pad, widthOf } from './width.ts';

/** `key: value`, one field a line. */
export function details(object: Readonly<Record<string, unknown>>, terminal: Terminal): string {
  const names = Object.keys(object);
  const width = Math.max(0, ...names.map((name) => widthOf(name))) + 1;
  return names
    .map((name) => `${terminal.style('bold', pad(`${name}:`, width))} ${cell(name, object[name])}`.trimEnd())
    .join('\n');
}
