import { diffArrays } from 'diff';

/** A piece of text that is unchanged, deleted or inserted. */
export interface Change {
  kind: 'same' | 'deleted' | 'inserted';
  text: string;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * A diff by words. The work grows with the square of the changed words. Above `maxChanges`, the whole text counts as
 * deleted and inserted.
 */
export function wordDiff(before: string, after: string, maxChanges = 1_000): Change[] {
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: maxChanges });
  if (!changes) return some([change('deleted', before), change('inserted', after)]);
  return joined(
    changes.map(({ added, removed, value }) =>
      change(removed ? 'deleted' : added ? 'inserted' : 'same', value.join('')),
    ),
  );
}

const wordsOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);

const change = (kind: Change['kind'], text: string): Change => ({ kind, text });
const some = (changes: Change[]) => changes.filter(({ text }) => text !== '');

/** Joins adjacent changes into one change, including the spaces between them. */
function joined(changes: readonly Change[]): Change[] {
  const result: Change[] = [];
  let deleted = '';
  let inserted = '';
  const finish = () => {
    result.push(...some([change('deleted', deleted), change('inserted', inserted)]));
    deleted = '';
    inserted = '';
  };
  for (const [index, { kind, text }] of changes.entries()) {
    const isBetween = kind === 'same' && deleted !== '' && inserted !== '' && /^[^\S\n]+$/.test(text);
    if (isBetween && changes[index + 1] && replaces(changes, index + 1)) {
      deleted += text;
      inserted += text;
    } else if (kind === 'deleted') deleted += text;
    else if (kind === 'inserted') inserted += text;
    else {
      finish();
      result.push({ kind, text });
    }
  }
  finish();
  return result;
}

/** Whether the next two changes are a deletion and an insertion. */
function replaces(changes: readonly Change[], from: number): boolean {
  const kinds = [changes[from]?.kind, changes[from + 1]?.kind];
  return kinds.includes('deleted') && kinds.includes('inserted');
}
