import { foldSearch } from '../../rules/fold.ts';

/** The searchable content of a message `m`. */
export const FOLDED_CONTENT = 'COALESCE(m.folded_content, ASCII_LOWER(m.content))';

/** Folded content to store for searching. null if ASCII lower case gives the same result. */
export function foldedContent(content: string): string | null {
  const folded = foldSearch(content);
  const ascii = content.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return folded === ascii ? null : folded;
}
