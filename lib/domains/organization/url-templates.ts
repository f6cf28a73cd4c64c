import { parse } from 'uri-template';
import { BadRequest } from '../../base/errors.ts';

/** In characters. */
export const MAX_URL_TEMPLATE_LENGTH = 1_000;

const NO_URL_TEMPLATE =
  'This is not a valid RFC 6570 URL template. Escape special characters, such as a space as %20, and write variables as {name}.';

/**
 * Literals of RFC 6570: all characters except controls, spaces and `"'%<>\\^`{|}`, and a percent sign with two digits.
 * Apostrophes are accepted too, as on other servers, because URLs contain them.
 */
const LITERALS = /^(?:[^\0-\x20\x7f-\x9f"%<>\\^`{|}]|%[0-9A-Fa-f]{2})*$/;

/** `{code:0}`, `{code:10000}`: a prefix must have at most 4 digits and not start with 0. */
const NO_PREFIX = /\{[^{}]*:(?:0|\d{5})/;

/**
 * Names of the variables of a URL template (RFC 6570), in order; undefined for an invalid template. Modifiers, as in
 * `{id:3}` and `{ids*}`, are invalid unless `modifiers` is set: the server inserts whole values only.
 */
export function templateVariables(template: string, options: { modifiers?: boolean } = {}): string[] | undefined {
  if (!LITERALS.test(template.replace(/\{[^{}]*\}/g, '')) || NO_PREFIX.test(template)) return undefined;
  try {
    const expressions = parse(template).ast.parts.filter((part) => part.type === 'expression');
    const variables = expressions.flatMap((part) => part.variables);
    if (!options.modifiers && variables.some((variable) => variable.modifier)) return undefined;
    return variables.map((variable) => variable.name);
  } catch {
    return undefined;
  }
}

/** An error of one field of a record. The field `__all__` means several fields together. */
export type FieldError = readonly [field: string, text: string];

/** Throws if there are errors. The first is the message, and `errors` contains all of them by field. */
export function checkNoErrors(found: readonly FieldError[]): void {
  const [first] = found;
  if (!first) return;
  const errors: Record<string, string[]> = {};
  for (const [field, text] of found) errors[field] = [...(errors[field] ?? []), text];
  throw new BadRequest(first[1], { errors });
}

/** The variables of a URL template. Adds an error if it is empty or invalid. */
export function checkedVariables(template: string, errors: FieldError[], options: { modifiers?: boolean } = {}) {
  const variables = template === '' ? undefined : templateVariables(template, options);
  const problem = template === '' ? 'The URL template cannot be empty.' : NO_URL_TEMPLATE;
  if (!variables) errors.push(['url_template', problem]);
  return variables;
}
