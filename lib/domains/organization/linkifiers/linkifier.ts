import * as v from 'valibot';
import { errorOf } from '../../../base/caught.ts';
import { BadRequest } from '../../../base/errors.ts';
import { describe, nonEmptyText } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import { groupsOf } from '../../../markdown/linkifiers.ts';
import type { Linkifier, Organization } from '../../../model/organization.ts';
import type { WriteContext } from '../../../viewer/context.ts';
import { checkedVariables, checkNoErrors, type FieldError, MAX_URL_TEMPLATE_LENGTH } from '../url-templates.ts';

/** In characters. */
const MAX_PATTERN_LENGTH = 500;

export const linkifierParams = {
  pattern: describe(
    nonEmptyText(MAX_PATTERN_LENGTH),
    'RE2 pattern such as `#(?P<id>[0-9]+)`. Unique. Matches whole words.',
  ),
  url_template: describe(
    nonEmptyText(MAX_URL_TEMPLATE_LENGTH),
    'RFC 6570 URL template with the groups of the pattern, for example `https://issues.example.com/{id}`.',
  ),
};

export const linkifierObject = v.object({
  pattern: v.string(),
  url_template: v.string(),
  id: describe(v.number(), 'ID of the linkifier.'),
});

export function accessLinkifier({ linkifiers }: Pick<Organization, 'linkifiers'>, id: number): Linkifier {
  const found = linkifiers.find((linkifier) => linkifier.id === id);
  if (!found) throw new BadRequest(`There is no linkifier with ID ${id}.`);
  return found;
}

/** Throws with all errors: of each field, of pattern and template together, then a duplicate pattern. */
export function checkedLinkifier(given: Pick<Linkifier, 'pattern' | 'url_template'>, others: readonly Linkifier[]) {
  const pattern = given.pattern.trim();
  const url_template = given.url_template.trim();
  const errors: FieldError[] = [];
  if (pattern === '') errors.push(['pattern', 'The pattern cannot be empty.']);
  const variables = checkedVariables(url_template, errors);
  const mismatch = patternProblem(pattern, variables);
  if (mismatch) errors.push(['__all__', mismatch]);
  if (others.some((other) => other.pattern === pattern)) {
    errors.push(['__all__', 'A linkifier with this pattern already exists.']);
  }
  checkNoErrors(errors);
  return { pattern, url_template };
}

/** Why pattern and template do not match. The groups of the pattern must be the variables of the template. */
function patternProblem(pattern: string, variables: readonly string[] | undefined): string | undefined {
  let groups: string[];
  try {
    groups = groupsOf(pattern);
  } catch (error) {
    return `This pattern cannot be used: ${errorOf(error).message}.`;
  }
  if (!variables) return undefined;
  const unknown = variables.filter((name) => !groups.includes(name)).sort()[0];
  if (unknown !== undefined)
    return `The URL template contains "${unknown}", but the pattern has no group with this name.`;
  const unused = groups.filter((name) => !variables.includes(name)).sort()[0];
  return unused === undefined
    ? undefined
    : `The pattern has the group "${unused}", but the URL template does not contain it.`;
}

export const linkifiersChanged = defineEvent('realm_linkifiers', {
  summary: 'Linkifiers were added, changed, removed or reordered. Contains all linkifiers in order.',
  fields: { realm_linkifiers: v.array(linkifierObject) },
  needs: 'linkifier_url_template',
});

export async function emitLinkifiers({ tx, emit }: WriteContext): Promise<void> {
  emit({ scope: 'everyone' }, linkifiersChanged({ realm_linkifiers: await tx.linkifiers.all() }));
}
