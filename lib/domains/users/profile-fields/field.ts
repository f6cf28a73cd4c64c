import * as v from 'valibot';
import { BadRequest } from '../../../kernel/errors.ts';
import { codePoints, describe, flag, text } from '../../../kernel/schemas.ts';
import { fold } from '../../../rules/fold.ts';
import { unprintableAt } from '../../../rules/names.ts';
import type { Organization } from '../../../storage/interface/organization.ts';
import type { ProfileField, ProfileFieldType } from '../../../storage/interface/profile-fields.ts';
import { externalAccountOf } from './field-data.ts';

/** In code points. */
const MAX_NAME_LENGTH = 40;
const MAX_HINT_LENGTH = 80;
/** A summary of a profile has no room for more. */
const MAX_IN_SUMMARY = 2;

/** What a field may be, by its keyword in `custom_profile_field_types`. */
export const FIELD_TYPES = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
} as const satisfies Record<string, { id: ProfileFieldType; name: string }>;

export const profileFieldObject = v.object({
  id: v.number(),
  type: describe(
    v.number(),
    '1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 people, 7 external account, 8 pronouns.',
  ),
  order: describe(v.number(), 'Place among the fields, from 0 on.'),
  name: v.string(),
  hint: describe(v.string(), 'What to fill in.'),
  field_data: describe(v.string(), 'JSON of an object for types 3 and 7, else empty.'),
  display_in_profile_summary: v.optional(describe(v.boolean(), 'Absent: false.')),
  required: describe(v.boolean(), 'Clients ask people who have nothing there; nobody has to have something.'),
  editable_by_user: describe(v.boolean(), 'Whether people fill it in themselves, or administrators for them.'),
});

/** Fields as clients see them, in their order. */
export function profileFieldViews(fields: readonly ProfileField[]): v.InferOutput<typeof profileFieldObject>[] {
  return fields.map(({ display_in_profile_summary, ...field }, order) => ({
    ...field,
    order,
    ...(display_in_profile_summary ? { display_in_profile_summary } : {}),
  }));
}

export const profileFieldParams = {
  name: v.optional(
    describe(text(), `At most ${MAX_NAME_LENGTH} characters; unique. A site that is known has its own.`),
  ),
  hint: v.optional(describe(text(), `What to fill in, at most ${MAX_HINT_LENGTH} characters.`)),
  display_in_profile_summary: v.optional(
    describe(flag, `Whether summaries show it; at most ${MAX_IN_SUMMARY} fields, none of long text or people.`),
  ),
  required: v.optional(describe(flag, 'Whether clients ask people to fill it in.')),
  editable_by_user: v.optional(describe(flag, 'Whether people fill it in themselves.')),
};

/** The field with this id. @throws BadRequest where there is none */
export function accessProfileField({ profile_fields }: Pick<Organization, 'profile_fields'>, id: number): ProfileField {
  const found = profile_fields.find((field) => field.id === id);
  if (!found) throw new BadRequest(`There is no profile field with ID ${id}.`);
  return found;
}

/**
 * A field as it is stored, trimmed. A site that is known gives its field name and hint.
 * @param others those it must not repeat
 */
export function checkedProfileField<F extends Omit<ProfileField, 'id'>>(given: F, others: readonly ProfileField[]): F {
  const account = externalAccountOf(given);
  const name = (account?.name ?? given.name).trim();
  const hint = (account?.hint ?? given.hint).trim();
  if (name === '') throw new BadRequest('A profile field needs a name.');
  checkLine('name', name, MAX_NAME_LENGTH);
  checkLine('hint', hint, MAX_HINT_LENGTH);
  if (given.display_in_profile_summary) checkSummary(given, others);
  if (others.some((other) => fold(other.name) === fold(name))) {
    throw new BadRequest(`There is a profile field named "${name}" already.`);
  }
  return { ...given, name, hint };
}

function checkLine(what: string, value: string, max: number): void {
  if (codePoints(value) > max) {
    throw new BadRequest(`The ${what} of a profile field is too long (limit: ${max} characters).`);
  }
  if (unprintableAt(value) !== undefined) {
    throw new BadRequest(`The ${what} of a profile field cannot contain control characters.`);
  }
}

function checkSummary({ type }: Pick<ProfileField, 'type'>, others: readonly ProfileField[]): void {
  if (type === FIELD_TYPES.LONG_TEXT.id || type === FIELD_TYPES.USER.id) {
    throw new BadRequest('Fields of this type cannot be shown in the summary of a profile.');
  }
  if (others.filter((other) => other.display_in_profile_summary).length >= MAX_IN_SUMMARY) {
    throw new BadRequest(`The summary of a profile shows at most ${MAX_IN_SUMMARY} fields.`);
  }
}
