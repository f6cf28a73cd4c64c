import * as v from 'valibot';
import { BadRequest } from '../../../kernel/errors.ts';
import { describe, text } from '../../../kernel/schemas.ts';
import { groupsOf } from '../../../markdown/linkifier-patterns.ts';
import type { Linkifier } from '../../../storage/interface/linkifiers.ts';
import type { Organization } from '../../../storage/interface/organization.ts';
import { checkNoErrors, type FieldError } from '../field-errors.ts';
import { MAX_URL_TEMPLATE_LENGTH, NO_URL_TEMPLATE, templateVariables } from '../url-templates.ts';

/** In characters. */
const MAX_PATTERN_LENGTH = 500;

export const linkifierParams = {
  pattern: describe(
    text(MAX_PATTERN_LENGTH),
    'Regular expression of RE2, `#(?P<id>[0-9]+)`; unique. It matches at the start of a word, up to its end.',
  ),
  url_template: describe(
    text(MAX_URL_TEMPLATE_LENGTH),
    "URL template of RFC 6570 with the pattern's groups, `https://issues.example.com/{id}`.",
  ),
};

/** A linkifier as clients see it. */
export const linkifierObject = v.object({ pattern: v.string(), url_template: v.string(), id: v.number() });

export function linkifierView({ pattern, url_template, id }: Linkifier): v.InferOutput<typeof linkifierObject> {
  return { pattern, url_template, id };
}

/** The linkifier with this id; throws where there is none. */
export function accessLinkifier({ linkifiers }: Pick<Organization, 'linkifiers'>, id: number): Linkifier {
  const found = linkifiers.find((linkifier) => linkifier.id === id);
  if (!found) throw new BadRequest(`There is no linkifier with ID ${id}.`);
  return found;
}

/**
 * A linkifier as it is stored, trimmed. Throws with everything that is wrong: of each field by itself, of
 * pattern and template together, and last that the pattern is there already.
 * @param others those it must not repeat
 */
export function checkedLinkifier(
  given: Pick<Linkifier, 'pattern' | 'url_template'>,
  others: readonly Linkifier[],
): Pick<Linkifier, 'pattern' | 'url_template'> {
  const pattern = given.pattern.trim();
  const url_template = given.url_template.trim();
  const errors: FieldError[] = [];
  if (pattern === '') errors.push(['pattern', 'A pattern cannot be empty.']);
  const variables = templateVariables(url_template);
  if (url_template === '') errors.push(['url_template', 'A URL template cannot be empty.']);
  else if (!variables) errors.push(['url_template', NO_URL_TEMPLATE]);
  const mismatch = patternProblem(pattern, variables);
  if (mismatch) errors.push(['__all__', mismatch]);
  if (others.some((other) => other.pattern === pattern)) {
    errors.push(['__all__', 'There is a linkifier with this pattern already.']);
  }
  checkNoErrors(errors);
  return { pattern, url_template };
}

/** Why pattern and template do not fit: the groups of one must be the variables of the other. */
function patternProblem(pattern: string, variables: readonly string[] | undefined): string | undefined {
  let groups: string[];
  try {
    groups = groupsOf(pattern);
  } catch (error) {
    return `This pattern cannot be used: ${(error as Error).message}.`;
  }
  if (!variables) return undefined;
  const unknown = variables.filter((name) => !groups.includes(name)).sort()[0];
  if (unknown !== undefined) return `The URL template names "${unknown}", which is no group of the pattern.`;
  const unused = groups.filter((name) => !variables.includes(name)).sort()[0];
  return unused === undefined ? undefined : `The pattern has the group "${unused}", which the URL template lacks.`;
}
