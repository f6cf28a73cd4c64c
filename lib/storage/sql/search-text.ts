import { foldSearch } from '../../rules/fold.ts';

/** The content of a message `m` as it is searched. */
export const FOLDED_CONTENT = 'COALESCE(m.folded_content, ASCII_LOWER(m.content))';

/** What is stored for searching: nothing where the engines' own lower case, that of the 26 letters, says the same. */
export function foldedContent(content: string): string | null {
  const folded = foldSearch(content);
  const ascii = content.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return folded === ascii ? null : folded;
}
