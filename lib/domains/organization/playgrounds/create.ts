import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, text } from '../../../kernel/schemas.ts';
import type { Playground } from '../../../storage/interface/playgrounds.ts';
import { checkNoErrors, type FieldError } from '../field-errors.ts';
import { MAX_URL_TEMPLATE_LENGTH, NO_URL_TEMPLATE, templateVariables } from '../url-templates.ts';
import { emitPlaygrounds } from './events.ts';

/** In characters. */
const MAX_NAME_LENGTH = 100;
const MAX_LEXER_NAME_LENGTH = 40;
/** Every client has all of them from the start. */
const MAX_PLAYGROUNDS = 200;

/** What the language of a code block may be written with. */
const LEXER_NAME = /^[ a-zA-Z0-9_+\-./#]*$/;

export const createPlayground = defineOperation({
  name: 'playgrounds.create',
  http: 'POST /realm/playgrounds',
  summary: 'Offer a site where code of a language can be tried out',
  description: 'Clients show it beside code blocks of the language. A language may have several.',
  example: { name: 'Rust', pygments_language: 'Rust', url_template: 'https://play.example.com/?code={code}' },
  access: 'administrator',
  effect: 'write',
  params: v.object({
    name: describe(text(MAX_NAME_LENGTH), 'As people see it; unique among those of the language.'),
    url_template: describe(
      text(MAX_URL_TEMPLATE_LENGTH),
      'URL template of RFC 6570 with the variable `code`, `https://play.example.com/?code={code}`.',
    ),
    pygments_language: describe(
      v.pipe(
        text(MAX_LEXER_NAME_LENGTH),
        v.regex(LEXER_NAME, 'has characters that the name of a language cannot have'),
      ),
      'Name of the lexer that colours the language, `Python`.',
    ),
  }),
  result: v.object({ id: v.number() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  async run(context, given) {
    const { tx } = context;
    const present = await tx.playgrounds.all();
    const playground = checkedPlayground(given, present);
    if (present.length >= MAX_PLAYGROUNDS) {
      throw new BadRequest(`An organization has at most ${MAX_PLAYGROUNDS} playgrounds.`);
    }
    const id = await tx.playgrounds.create(playground);
    await emitPlaygrounds(context);
    return { id };
  },
});

/**
 * A playground as it is stored, trimmed. Throws with everything that is wrong.
 * @param others those it must not repeat
 */
function checkedPlayground(given: Omit<Playground, 'id'>, others: readonly Playground[]): Omit<Playground, 'id'> {
  const name = given.name.trim();
  const pygments_language = given.pygments_language.trim();
  const url_template = given.url_template.trim();
  const errors: FieldError[] = [];
  if (name === '') errors.push(['name', 'A name cannot be empty.']);
  if (pygments_language === '') errors.push(['pygments_language', 'A language cannot be empty.']);
  // Clients insert the code.
  const variables = templateVariables(url_template, { modifiers: true });
  if (url_template === '') errors.push(['url_template', 'A URL template cannot be empty.']);
  else if (!variables) errors.push(['url_template', NO_URL_TEMPLATE]);
  else if (!variables.includes('code')) errors.push(['__all__', 'The URL template lacks the variable "code".']);
  else if (variables.some((variable) => variable !== 'code')) {
    errors.push(['__all__', 'The URL template may have no variable but "code".']);
  }
  if (others.some((other) => other.name === name && other.pygments_language === pygments_language)) {
    errors.push(['__all__', 'There is a playground of this name for the language already.']);
  }
  checkNoErrors(errors);
  return { name, pygments_language, url_template };
}
