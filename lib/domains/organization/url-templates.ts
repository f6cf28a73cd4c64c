import { parse } from 'uri-template';

/** In characters. */
export const MAX_URL_TEMPLATE_LENGTH = 1_000;

/** Names of the variables of a URL template (RFC 6570), in order; undefined when it is none. */
export function templateVariables(template: string): string[] | undefined {
  if (!isComplete(template)) return undefined;
  try {
    return parse(template).ast.parts.flatMap((part) =>
      part.type === 'expression' ? part.variables.map((variable) => variable.name) : [],
    );
  } catch {
    return undefined;
  }
}

/** Whether it lacks what the parser lets pass: a brace that closes nothing, a percent sign without its digits, a prefix beyond 9999. */
function isComplete(template: string): boolean {
  const literals = template.replace(/\{[^{}]*\}/g, '');
  return !literals.includes('}') && !/%(?![0-9A-Fa-f]{2})/.test(literals) && !/:\d{5}/.test(expressionsOf(template));
}

function expressionsOf(template: string): string {
  return (template.match(/\{[^{}]*\}/g) ?? []).join('');
}
