import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { describe, nonEmptyText, repeatable } from '../../../base/schemas.ts';
import type { Playground } from '../../../model/organization.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isBlank, spelledName } from '../../../rules/names.ts';
import { checkedVariables, checkNoErrors, type FieldError, MAX_URL_TEMPLATE_LENGTH } from '../url-templates.ts';
import { emitPlaygrounds } from './playground.ts';

/** In characters. */
const MAX_NAME_LENGTH = 100;
const MAX_LEXER_NAME_LENGTH = 40;
/** Every client loads the whole list at start. */
const MAX_PLAYGROUNDS = 200;

/** The characters that the language of a code block can contain. */
const LEXER_NAME = /^[ a-zA-Z0-9_+\-./#]*$/;

export const createPlayground = defineOperation({
  name: 'playgrounds.create',
  http: 'POST /realm/playgrounds',
  summary: 'Create a code playground: a site that runs code of a language',
  description: 'Clients show a link to it at code blocks of the language. A language can have several playgrounds.',
  example: { name: 'Rust', pygments_language: 'Rust', url_template: 'https://play.example.com/?code={code}' },
  access: 'administrator',
  effect: 'write',
  params: {
    name: describe(nonEmptyText(MAX_NAME_LENGTH), 'Display name. Unique within the language.'),
    url_template: describe(
      nonEmptyText(MAX_URL_TEMPLATE_LENGTH),
      'RFC 6570 URL template with the variable `code`, for example `https://play.example.com/?code={code}`.',
    ),
    pygments_language: describe(
      v.pipe(
        nonEmptyText(MAX_LEXER_NAME_LENGTH),
        v.regex(LEXER_NAME, 'contains characters that are not allowed in the name of a language'),
      ),
      'Name of the Pygments lexer of the language, for example `Python`.',
    ),
    ...repeatable,
  },
  result: v.object({ id: describe(v.number(), 'ID of the playground.') }),
  async run(context, given) {
    const { tx } = context;
    const present = await tx.playgrounds.all();
    const playground = checkedPlayground(given, present);
    if (present.length >= MAX_PLAYGROUNDS) {
      throw new BadRequest(`An organization can have at most ${MAX_PLAYGROUNDS} playgrounds.`);
    }
    const id = await tx.playgrounds.create(playground);
    await emitPlaygrounds(context);
    return { id };
  },
});

/** Throws with all errors. */
function checkedPlayground(given: Omit<Playground, 'id'>, others: readonly Playground[]): Omit<Playground, 'id'> {
  const name = spelledName(given.name);
  const pygments_language = given.pygments_language.trim();
  const url_template = given.url_template.trim();
  const errors: FieldError[] = [];
  if (isBlank(name)) errors.push(['name', 'The name cannot be empty.']);
  if (pygments_language === '') errors.push(['pygments_language', 'The language cannot be empty.']);
  // Modifiers are allowed because clients, not the server, insert the code.
  const variables = checkedVariables(url_template, errors, { modifiers: true });
  if (variables?.includes('code') === false) {
    errors.push(['__all__', 'The URL template must contain the variable "code".']);
  } else if (variables?.some((variable) => variable !== 'code')) {
    errors.push(['__all__', 'The URL template cannot contain variables other than "code".']);
  }
  if (others.some((other) => other.name === name && other.pygments_language === pygments_language)) {
    errors.push(['__all__', 'A playground with this name and language already exists.']);
  }
  checkNoErrors(errors);
  return { name, pygments_language, url_template };
}
