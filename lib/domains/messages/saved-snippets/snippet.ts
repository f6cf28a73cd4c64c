import * as v from 'valibot';
import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest, DoesNotExist } from '../../../kernel/errors.ts';
import { codePoints, describe, text } from '../../../kernel/schemas.ts';
import { MAX_MESSAGE_LENGTH } from '../../../rules/names.ts';
import type { SavedSnippet } from '../../../storage/interface/saved-snippets.ts';

/** In characters. */
const MAX_TITLE_LENGTH = 60;
/** Every client has all of them from the start. */
const MAX_SNIPPETS = 500;
const MAX_CHARACTERS = 1_000_000;

export const snippetObject = v.object({
  id: v.number(),
  title: v.string(),
  content: v.string(),
  date_created: describe(v.number(), 'UNIX time in seconds.'),
});

export const snippetParams = {
  title: describe(text(), `Title, at most ${MAX_TITLE_LENGTH} characters. Several snippets can have the same title.`),
  content: describe(text(), `Markdown, at most ${MAX_MESSAGE_LENGTH} characters.`),
};

/** Also for another's. */
export const noSnippet = (id: number) => new DoesNotExist(`You have no saved snippet with ID ${id}.`);

/** As they are stored: trimmed. @throws BadRequest for what is empty then, or too long */
export const snippetTitle = (given: string) => checkedText(given, 'title', MAX_TITLE_LENGTH);
export const snippetContent = (given: string) => checkedText(given, 'content', MAX_MESSAGE_LENGTH);

function checkedText(given: string, parameter: string, max: number): string {
  const value = given.trim();
  if (value === '') throw new BadRequest(`${parameter} cannot be empty.`);
  if (codePoints(value) > max) throw new BadRequest(`${parameter} is too long (limit: ${max} characters).`);
  return value;
}

/** Throws where the owner would keep more than anybody may; `replaced` is what changes. */
export async function checkRoom(
  { tx, actor }: AccountContext,
  content: string,
  replaced?: Pick<SavedSnippet, 'content'>,
): Promise<void> {
  const { count, characters } = await tx.savedSnippets.size(actor.id);
  if (!replaced && count >= MAX_SNIPPETS) throw new BadRequest(`You can save at most ${MAX_SNIPPETS} snippets.`);
  if (characters + codePoints(content) - codePoints(replaced?.content ?? '') > MAX_CHARACTERS) {
    throw new BadRequest(`Your snippets can have at most ${MAX_CHARACTERS} characters in total.`);
  }
}
