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
/** Limited by the space in a profile summary. */
const MAX_IN_SUMMARY = 2;

/** Field types by their keyword in `custom_profile_field_types`. */
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
  order: describe(v.number(), 'Position among the fields, starting at 0.'),
  name: v.string(),
  hint: describe(v.string(), 'Help text for the field.'),
  field_data: describe(v.string(), 'JSON object for types 3 and 7; empty for other types.'),
  display_in_profile_summary: v.optional(describe(v.boolean(), 'Absent: false.')),
  required: describe(v.boolean(), 'Clients remind users who have no value. The server does not enforce it.'),
  editable_by_user: describe(v.boolean(), 'Whether users can edit it. If false, only administrators can.'),
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
    describe(
      text(),
      `At most ${MAX_NAME_LENGTH} characters; unique. External accounts on known sites have a fixed name.`,
    ),
  ),
  hint: v.optional(describe(text(), `Help text for the field, at most ${MAX_HINT_LENGTH} characters.`)),
  display_in_profile_summary: v.optional(
    describe(
      flag,
      `Show the field in profile summaries. At most ${MAX_IN_SUMMARY} fields, and not for long text or people.`,
    ),
  ),
  required: v.optional(describe(flag, 'Whether clients remind users to fill it in.')),
  editable_by_user: v.optional(describe(flag, 'Whether users can edit it. If false, only administrators can.')),
};

/** The field with this ID. @throws BadRequest if it does not exist */
export function accessProfileField({ profile_fields }: Pick<Organization, 'profile_fields'>, id: number): ProfileField {
  const found = profile_fields.find((field) => field.id === id);
  if (!found) throw new BadRequest(`There is no profile field with ID ${id}.`);
  return found;
}

/**
 * Validates and trims a field. Known sites of external accounts have a fixed name and hint.
 * @param others the other fields of the organization
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
    throw new BadRequest(`A profile field named "${name}" already exists.`);
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
    throw new BadRequest('Fields of this type cannot be shown in the profile summary.');
  }
  if (others.filter((other) => other.display_in_profile_summary).length >= MAX_IN_SUMMARY) {
    throw new BadRequest(`The profile summary can show at most ${MAX_IN_SUMMARY} fields.`);
  }
}
