import type { Playground } from '../../../storage/storage.ts';
import { FieldErrors } from '../field-errors.ts';
import { templateVariables } from '../url-templates.ts';

export const MAX_PLAYGROUND_NAME_LENGTH = 100;
export const MAX_LEXER_NAME_LENGTH = 40;
/** Every client has all of them from the start. */
export const MAX_PLAYGROUNDS = 200;

/** What the language of a code block may be written with. */
export const LEXER_NAME = /^[ a-zA-Z0-9_+\-./#]*$/;

/** A playground as it is stored: trimmed, and checked as reference 6.21 has it. */
export function checkedPlayground(
  given: Omit<Playground, 'id'>,
  others: readonly Playground[],
): Omit<Playground, 'id'> {
  const name = given.name.trim();
  const pygments_language = given.pygments_language.trim();
  const url_template = given.url_template.trim();
  const errors = new FieldErrors();
  if (name === '') errors.add('name', 'A name cannot be empty.');
  if (pygments_language === '') errors.add('pygments_language', 'A language cannot be empty.');
  const variables = templateVariables(url_template);
  if (url_template === '') errors.add('url_template', 'A URL template cannot be empty.');
  else if (!variables) errors.add('url_template', 'This is not a URL template of RFC 6570.');
  else if (!variables.includes('code')) errors.add('__all__', 'The URL template lacks the variable "code".');
  else if (variables.some((variable) => variable !== 'code')) {
    errors.add('__all__', 'The URL template may have no variable but "code".');
  }
  if (others.some((other) => other.name === name && other.pygments_language === pygments_language)) {
    errors.add('__all__', 'There is a playground of this name for the language already.');
  }
  errors.refuseAny();
  return { name, pygments_language, url_template };
}
