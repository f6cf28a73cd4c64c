/** Groups of emoji, and the moves of the keyboard in them. */

export type GroupName =
  | 'recent'
  | 'custom'
  | 'smileys'
  | 'people'
  | 'animals'
  | 'food'
  | 'travel'
  | 'activities'
  | 'objects'
  | 'symbols'
  | 'flags';

/** The code of the first emoji of each group. The emoji of the server come in the order of Unicode. */
export const FIRST_OF_GROUPS: ReadonlyMap<string, GroupName> = new Map([
  ['1f600', 'smileys'],
  ['1f44b', 'people'],
  ['1f435', 'animals'],
  ['1f347', 'food'],
  ['1f30d', 'travel'],
  ['1f383', 'activities'],
  ['1f453', 'objects'],
  ['1f3e7', 'symbols'],
  ['1f3c1', 'flags'],
]);

/**
 * The emoji that a key leads to. Emoji are counted through all groups, and each group begins a new row.
 * @param counts the number of emoji of each group
 * @returns undefined for other keys; -1 for the field above the first row
 */
export function emojiAt(key: string, at: number, counts: readonly number[], perRow: number): number | undefined {
  const count = counts.reduce((sum, each) => sum + each, 0);
  if (key === 'Next') return Math.min(at + 1, count - 1);
  if (key === 'Previous') return Math.max(at - 1, 0);
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined;
  const rows = rowsOf(counts, perRow);
  const row = rows.findIndex(({ start, end }) => at >= start && at < end);
  const next = rows[row + (key === 'ArrowDown' ? 1 : -1)];
  if (!next) return key === 'ArrowUp' ? -1 : at;
  return Math.min(next.start + at - (rows[row]?.start ?? 0), next.end - 1);
}

function rowsOf(counts: readonly number[], perRow: number): readonly { start: number; end: number }[] {
  const rows: { start: number; end: number }[] = [];
  let first = 0;
  for (const count of counts) {
    for (let start = first; start < first + count; start += perRow)
      rows.push({ start, end: Math.min(start + perRow, first + count) });
    first += count;
  }
  return rows;
}

const TONES = ['', '\u{1f3fb}', '\u{1f3fc}', '\u{1f3fd}', '\u{1f3fe}', '\u{1f3ff}'];

/**
 * An emoji with a skin tone. Undefined for one without, such as a face or a group of people.
 * @param tone 1 to 5; 0: none
 */
export function withTone(character: string, tone: number): string | undefined {
  const [first = '', ...rest] = character;
  if (tone === 0 || !/^\p{Emoji_Modifier_Base}$/u.test(first)) return undefined;
  // Several people have several tones.
  const people = [first, ...rest].filter((part) => /^\p{Emoji_Modifier_Base}$/u.test(part));
  if (people.length > 1) return undefined;
  return [first, TONES[tone], ...rest.filter((part, index) => index > 0 || part !== '\ufe0f')].join('');
}
