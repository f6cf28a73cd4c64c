import * as v from 'valibot';
import { BadRequest, DoesNotExist } from '../../../base/errors.ts';
import { codePoints, describe, nonEmptyText } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import { isBlank, MAX_MESSAGE_LENGTH } from '../../../rules/names.ts';
import type { SavedSnippet } from '../../../storage/interface/personal.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { checkRoom } from '../deliveries.ts';

const MAX_TITLE_LENGTH = 60;

export const snippetObject = v.object({
  id: describe(v.number(), 'ID of the snippet.'),
  title: describe(v.string(), 'Title in lists.'),
  content: describe(v.string(), 'Markdown.'),
  date_created: describe(v.number(), 'UNIX time in seconds.'),
});

export const snippetParams = {
  title: describe(
    nonEmptyText(),
    `Title, at most ${MAX_TITLE_LENGTH} characters. Several snippets can have the same title.`,
  ),
  content: describe(nonEmptyText(), `Markdown, at most ${MAX_MESSAGE_LENGTH} characters.`),
};

/** Also used for snippets of other users, so that their existence stays hidden. */
export const noSnippet = (id: number) => new DoesNotExist(`You have no saved snippet with ID ${id}.`);

/** Trims the text. @throws BadRequest if it is empty or too long */
export const snippetTitle = (given: string) => checkedText(given, 'title', MAX_TITLE_LENGTH);
export const snippetContent = (given: string) => checkedText(given, 'content', MAX_MESSAGE_LENGTH);

function checkedText(given: string, parameter: string, max: number): string {
  const value = given.trim();
  if (isBlank(value)) throw new BadRequest(`${parameter} cannot be empty.`);
  if (codePoints(value) > max) throw new BadRequest(`${parameter} is too long (limit: ${max} characters).`);
  return value;
}

/** @param replaced the snippet that changes */
export async function checkSnippetLimit({ tx, actor }: AccountContext, content: string, replaced?: SavedSnippet) {
  const characters = codePoints(content) - codePoints(replaced?.content ?? '');
  const max = { count: 500, characters: 1_000_000 };
  checkRoom('snippets', max, await tx.savedSnippets.size(actor.id), { count: replaced ? 0 : 1, characters });
}

export const savedSnippetAdded = defineEvent('saved_snippets/add', {
  summary: 'You saved a snippet.',
  fields: { saved_snippet: snippetObject },
});

export const savedSnippetUpdated = defineEvent('saved_snippets/update', {
  summary: 'You changed a saved snippet. Contains the complete snippet.',
  fields: { saved_snippet: snippetObject },
});

export const savedSnippetRemoved = defineEvent('saved_snippets/remove', {
  summary: 'You removed a saved snippet.',
  fields: { saved_snippet_id: v.number() },
});
