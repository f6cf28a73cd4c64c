import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { choice, describe, either, flag, optional, record, text } from '../../../base/schemas.ts';
import { readParameter } from '../../../engine/parameters.ts';
import { defineEvent } from '../../../events/define-event.ts';
import type { Organization, ProfileField, ProfileFieldType } from '../../../model/organization.ts';
import { EXTERNAL_ACCOUNTS, type ExternalAccount } from '../../../rules/external-accounts.ts';
import { fold } from '../../../rules/fold.ts';
import { checkedName, checkLine, isBlank, spelledName } from '../../../rules/names.ts';
import type { WriteContext } from '../../../viewer/context.ts';

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

export const fieldType = describe(
  choice([1, 2, 3, 4, 5, 6, 7, 8]),
  '1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 people, 7 external account, 8 pronouns.',
);

export const profileFieldObject = v.object({
  id: describe(v.number(), 'ID of the field.'),
  type: fieldType,
  order: describe(v.number(), 'Position among the fields, starting at 1.'),
  name: describe(v.string(), 'Display name.'),
  hint: describe(v.string(), 'Help text for the field.'),
  field_data: describe(v.string(), 'JSON object for types 3 and 7; empty for other types.'),
  display_in_profile_summary: optional(v.boolean(), 'Absent: false.'),
  required: describe(v.boolean(), 'Clients remind users who have no value. The server does not enforce it.'),
  editable_by_user: describe(v.boolean(), 'Whether users can edit it. If false, only administrators can.'),
});

export function profileFieldViews(fields: readonly ProfileField[]): v.InferOutput<typeof profileFieldObject>[] {
  return fields.map(({ display_in_profile_summary, ...field }, order) => ({
    ...field,
    order: order + 1,
    ...(display_in_profile_summary ? { display_in_profile_summary } : {}),
  }));
}

export const profileFieldParams = {
  name: optional(
    v.pipe(text(), v.metadata({ minLength: 1 })),
    `At most ${MAX_NAME_LENGTH} characters; unique. Fixed for external accounts on known sites.`,
  ),
  hint: optional(text(), `Help text for the field, at most ${MAX_HINT_LENGTH} characters.`),
  display_in_profile_summary: optional(flag, `Show it in profile summaries: at most ${MAX_IN_SUMMARY} short fields.`),
  required: optional(flag, 'Whether clients remind users to fill it in.'),
  editable_by_user: optional(flag, 'Whether users can edit it. If false, only administrators can.'),
};

export function accessProfileField({ profile_fields }: Pick<Organization, 'profile_fields'>, id: number): ProfileField {
  const found = profile_fields.find((field) => field.id === id);
  if (!found) throw new BadRequest(`There is no profile field with ID ${id}.`);
  return found;
}

/** Validates and trims a field. Known sites of external accounts have a fixed name and hint. */
export function checkedProfileField<F extends Omit<ProfileField, 'id'>>(given: F, others: readonly ProfileField[]): F {
  const account = externalAccountOf(given);
  const name = checkedName('The name of a profile field', account?.name ?? given.name, MAX_NAME_LENGTH);
  const hint = (account?.hint ?? given.hint).trim();
  checkLine('The hint of a profile field', hint, MAX_HINT_LENGTH);
  if (given.display_in_profile_summary) checkSummary(given, others);
  if (others.some((other) => fold(other.name) === fold(name))) {
    throw new BadRequest(`A profile field named "${name}" already exists.`);
  }
  return { ...given, name, hint };
}

function checkSummary({ type }: Pick<ProfileField, 'type'>, others: readonly ProfileField[]): void {
  if (type === FIELD_TYPES.LONG_TEXT.id || type === FIELD_TYPES.USER.id) {
    throw new BadRequest('Fields of this type cannot be shown in the profile summary.');
  }
  if (others.filter((other) => other.display_in_profile_summary).length >= MAX_IN_SUMMARY) {
    throw new BadRequest(`The profile summary can show at most ${MAX_IN_SUMMARY} fields.`);
  }
}

export const profileFieldsChanged = defineEvent('custom_profile_fields', {
  summary:
    'Custom profile fields were added, changed, removed or reordered. Contains all fields. Values of removed fields and options are removed from profiles without further events.',
  fields: { fields: v.array(profileFieldObject) },
});

export async function emitProfileFields({ tx, emit }: WriteContext): Promise<void> {
  const fields = profileFieldViews(await tx.profileFields.all());
  emit({ scope: 'everyone' }, profileFieldsChanged({ fields }));
}

/** In code points. */
const MAX_OPTION_LENGTH = 100;
const MAX_URL_PATTERN_LENGTH = 500;
const MAX_OPTIONS = 200;

const option = v.strictObject(
  { text: text(MAX_OPTION_LENGTH), order: text(10) },
  'must be an object with the keys text and order',
);
const options = record(v.string(), option, 'must be an object');
const account = v.strictObject(
  { subtype: text(40), url_pattern: v.optional(text(MAX_URL_PATTERN_LENGTH)) },
  'must be an object with the key subtype, and optionally url_pattern',
);

export const fieldData = describe(
  either([account, options], 'must be an object of options, or of an external account'),
  'For a list, the options by key: `{"0":{"text":"Vegan","order":"1"}}`. For an external account: `{"subtype":"github"}` or `{"subtype":"custom","url_pattern":"https://example.com/%(username)s"}`.',
);

type FieldData = v.InferOutput<typeof fieldData>;
type Options = Readonly<Record<string, v.InferOutput<typeof option>>>;

const hasText = v.check<string, string>((value) => !isBlank(value), 'cannot be empty');

function repeatedText(given: Options): string | undefined {
  const texts = Object.values(given).map(({ text }) => spelledName(text));
  return texts.find((text, at) => texts.indexOf(text) < at);
}

/** The options of a list. Fields of other types ignore them, valid or not. */
const storedOptions = v.pipe(
  record(
    v.pipe(text(MAX_OPTION_LENGTH), hasText),
    v.strictObject(
      { text: v.pipe(option.entries.text, hasText), order: v.pipe(option.entries.order, hasText) },
      option.message,
    ),
    'must be an object',
  ),
  v.minEntries(1, 'needs at least one option'),
  v.maxEntries(MAX_OPTIONS, `can have at most ${MAX_OPTIONS} options`),
  v.check(
    (given) => repeatedText(given) === undefined,
    ({ input }) => `contains the option "${repeatedText(input)}" twice`,
  ),
);

/** Validates the data of a field. @returns JSON as it is stored; empty for types without data */
export function storedFieldData(type: ProfileFieldType, given: FieldData): string {
  if (type === FIELD_TYPES.SELECT.id) return JSON.stringify(readParameter('field_data', storedOptions, given));
  if (type === FIELD_TYPES.EXTERNAL_ACCOUNT.id) return JSON.stringify(checkedAccount(given));
  return '';
}

export function optionsOf(field: Pick<ProfileField, 'type' | 'field_data'>): Options {
  return field.type === FIELD_TYPES.SELECT.id && field.field_data !== ''
    ? (JSON.parse(field.field_data) as Options)
    : {};
}

/** The known site of an external account field; undefined for custom sites. */
export function externalAccountOf(field: Pick<ProfileField, 'type' | 'field_data'>): ExternalAccount | undefined {
  if (field.type !== FIELD_TYPES.EXTERNAL_ACCOUNT.id) return undefined;
  const { subtype } = JSON.parse(field.field_data) as { subtype: string };
  return Object.hasOwn(EXTERNAL_ACCOUNTS, subtype) ? EXTERNAL_ACCOUNTS[subtype] : undefined;
}

function checkedAccount(given: FieldData): v.InferOutput<typeof account> {
  const { subtype, url_pattern } = readParameter('field_data', account, given);
  if (subtype !== 'custom') {
    if (!Object.hasOwn(EXTERNAL_ACCOUNTS, subtype)) {
      const known = [...Object.keys(EXTERNAL_ACCOUNTS), 'custom'].join(', ');
      throw new BadRequest(`"${subtype}" is not a known subtype. Use one of: ${known}.`);
    }
    // Name and URL of a known site are not stored with the field.
    return { subtype };
  }
  if (url_pattern === undefined) throw new BadRequest('A custom external account needs a url_pattern.');
  const parts = url_pattern.split('%(username)s');
  if (parts.length !== 2 || !isWebAddress(parts.join('username'))) {
    throw new BadRequest('url_pattern must be a URL that contains "%(username)s" exactly once.');
  }
  return { subtype, url_pattern };
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#]/i.test(text) && !/[\s\p{Cc}]/u.test(text) && URL.canParse(text);
}
