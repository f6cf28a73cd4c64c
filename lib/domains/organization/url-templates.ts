import { parse } from 'uri-template';

/** In characters. */
export const MAX_URL_TEMPLATE_LENGTH = 1_000;

export const NO_URL_TEMPLATE =
  'This is not a URL template of RFC 6570: it has a sign that must be written as %20 and the like, or a variable that is not plain, {name}.';

/**
 * What may stand between expressions, by RFC 6570: everything but controls, spaces and `"'%<>\\^`{|}`, and a
 * percent sign with its two digits. An apostrophe is let pass, as other servers do: addresses have it.
 */
const LITERALS = /^(?:[^\0-\x20\x7f-\x9f"%<>\\^`{|}]|%[0-9A-Fa-f]{2})*$/;

/** `{code:0}`, `{code:10000}`: a prefix has up to four digits, of which the first is not 0. */
const NO_PREFIX = /\{[^{}]*:(?:0|\d{5})/;

/**
 * Names of the variables of a URL template (RFC 6570), in order; undefined when it is none. Where the server inserts
 * them, they stand for texts and are inserted whole: `{id:3}` and `{ids*}` are refused unless modifiers are allowed.
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
