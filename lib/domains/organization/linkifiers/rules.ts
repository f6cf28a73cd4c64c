import { BadRequest } from '../../../kernel/errors.ts';
import { groupsOf } from '../../../markdown/linkifier-patterns.ts';
import type { Linkifier, Organization } from '../../../storage/storage.ts';
import { FieldErrors } from '../field-errors.ts';
import { templateVariables } from '../url-templates.ts';

export const MAX_PATTERN_LENGTH = 500;
/** Each of them is tried on every message. */
export const MAX_LINKIFIERS = 100;

/**
 * A linkifier as it is stored: trimmed and checked in the order of reference 6.22. `others` are those it
 * must not repeat.
 */
export function checkedLinkifier(
  given: Pick<Linkifier, 'pattern' | 'url_template'>,
  others: readonly Linkifier[],
): Pick<Linkifier, 'pattern' | 'url_template'> {
  const pattern = given.pattern.trim();
  const url_template = given.url_template.trim();
  const errors = new FieldErrors();
  if (pattern === '') errors.add('pattern', 'A pattern cannot be empty.');
  const variables = templateVariables(url_template);
  if (url_template === '') errors.add('url_template', 'A URL template cannot be empty.');
  else if (!variables) errors.add('url_template', 'This is not a URL template of RFC 6570.');
  const mismatch = patternProblem(pattern, variables);
  if (mismatch) errors.add('__all__', mismatch);
  if (others.some((other) => other.pattern === pattern)) {
    errors.add('__all__', 'There is a linkifier with this pattern already.');
  }
  errors.refuseAny();
  return { pattern, url_template };
}

/** The linkifier with this id. */
export function linkifierOf({ linkifiers }: Pick<Organization, 'linkifiers'>, id: number): Linkifier {
  const found = linkifiers.find((linkifier) => linkifier.id === id);
  if (!found) throw new BadRequest(`There is no linkifier with ID ${id}.`);
  return found;
}

export function checkRoomForLinkifier(present: readonly Linkifier[]): void {
  if (present.length < MAX_LINKIFIERS) return;
  throw new BadRequest(`An organization has at most ${MAX_LINKIFIERS} linkifiers.`);
}

/** What keeps pattern and template apart: groups and variables must be the same. */
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
