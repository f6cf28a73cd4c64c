import { sanitize } from './sanitize.ts';
import type { Terminal } from './terminal.ts';
import type { Change } from './word-diff.ts';

/** Unchanged lines shown around a change. */
const CONTEXT_LINES = 2;

/** The text with deletions and insertions marked, by colour or as `[-so-]{+so+}`. */
export function markedChanges(changes: readonly Change[], terminal: Terminal): string[] {
  const lines: { text: string; isChanged: boolean }[] = [{ text: '', isChanged: false }];
  for (const { kind, text } of changes) {
    const parts = sanitize(text).split('\n');
    for (const [index, part] of parts.entries()) {
      if (index > 0) lines.push({ text: '', isChanged: false });
      const line = lines.at(-1) as (typeof lines)[number];
      // Makes a changed line break visible.
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
  // Underlined too: some users cannot tell red from green, and spaces have no colour.
  return isColoured ? style(['green', 'underline'], text) : `{+${text}+}`;
}

/** Replaces long unchanged parts by a line with their length. */
function aroundChanges(lines: readonly { text: string; isChanged: boolean }[]): string[] {
  const changed = lines.flatMap(({ isChanged }, index) => (isChanged ? [index] : []));
  const isNear = lines.map(() => false);
  for (const at of changed) isNear.fill(true, Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1);
  const shown: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const far = isNear.indexOf(true, at) < 0 ? lines.length - at : isNear.indexOf(true, at) - at;
    if (far > 1) {
      shown.push(`⋮ ${far} unchanged lines`);
      at += far;
    } else {
      shown.push((lines[at] as { text: string }).text);
      at++;
    }
  }
  return shown;
}
