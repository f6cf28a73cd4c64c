import { sanitize } from './sanitize.ts';
import type { Terminal } from './terminal.ts';
import type { Change } from './word-diff.ts';

/** Lines shown around a change. */
const CONTEXT = 2;

/** The changed text line by line, what went and what came marked, by colour or `[-so-]{+so+}`. */
export function markedChanges(changes: readonly Change[], terminal: Terminal): string[] {
  const lines: { text: string; isChanged: boolean }[] = [{ text: '', isChanged: false }];
  for (const { kind, text } of changes) {
    const parts = sanitize(text).split('\n');
    for (const [index, part] of parts.entries()) {
      if (index > 0) lines.push({ text: '', isChanged: false });
      const line = lines.at(-1) as (typeof lines)[number];
      // A line end that came or went with nothing else would not be seen.
      const isBlank = part === '' && index < parts.length - 1 && (index > 0 || /^\n+$/.test(text));
      const shown = kind !== 'same' && isBlank ? '⏎' : part;
      line.text += mark(kind, shown, terminal);
      line.isChanged ||= kind !== 'same' && shown !== '';
    }
  }
  return aroundChanges(lines);
}

function mark(kind: Change['kind'], text: string, { style, isColoured }: Terminal): string {
  if (kind === 'same' || text === '') return text;
  if (kind === 'deleted') return isColoured ? style(['red', 'strikethrough'], text) : `[-${text}-]`;
  // Underlined too: not everybody tells red from green, and inserted spaces have no colour.
  return isColoured ? style(['green', 'underline'], text) : `{+${text}+}`;
}

/** Long stretches without a change give way to a line that counts them. */
function aroundChanges(lines: readonly { text: string; isChanged: boolean }[]): string[] {
  const changed = lines.flatMap(({ isChanged }, index) => (isChanged ? [index] : []));
  const isNear = lines.map(() => false);
  for (const at of changed) isNear.fill(true, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  const shown: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const far = isNear.indexOf(true, at) < 0 ? lines.length - at : isNear.indexOf(true, at) - at;
    if (far > 1) {
      shown.push(`⋮ ${far} lines as before`);
      at += far;
    } else {
      shown.push((lines[at] as { text: string }).text);
      at++;
    }
  }
  return shown;
}
