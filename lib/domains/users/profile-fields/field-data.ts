import * as v from 'valibot';
import { BadRequest } from '../../../kernel/errors.ts';
import { codePoints, describe, either, record, text } from '../../../kernel/schemas.ts';
import { EXTERNAL_ACCOUNTS, type ExternalAccount } from '../../../rules/external-accounts.ts';
import type { ProfileField, ProfileFieldType } from '../../../storage/interface/profile-fields.ts';
import { isWebAddress } from '../profile-values.ts';

/** In code points. */
const MAX_OPTION_LENGTH = 100;
const MAX_KEY_LENGTH = 100;
const MAX_URL_PATTERN_LENGTH = 500;
const MAX_OPTIONS = 200;

const SELECT = 3;
const EXTERNAL_ACCOUNT = 7;

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
export type Options = Readonly<Record<string, v.InferOutput<typeof option>>>;

/** Validates the data of a field. @returns JSON as it is stored; empty for types without data */
export function storedFieldData(type: ProfileFieldType, given: FieldData): string {
  if (type === SELECT) return JSON.stringify(checkedOptions(given));
  if (type === EXTERNAL_ACCOUNT) return JSON.stringify(checkedAccount(given));
  return '';
}

/** The options of a field, by key. */
export function optionsOf(field: Pick<ProfileField, 'type' | 'field_data'>): Options {
  return field.type === SELECT && field.field_data !== '' ? (JSON.parse(field.field_data) as Options) : {};
}

/** The known site of an external account field; undefined for custom sites. */
export function externalAccountOf(field: Pick<ProfileField, 'type' | 'field_data'>): ExternalAccount | undefined {
  if (field.type !== EXTERNAL_ACCOUNT) return undefined;
  const { subtype } = JSON.parse(field.field_data) as { subtype: string };
  return Object.hasOwn(EXTERNAL_ACCOUNTS, subtype) ? EXTERNAL_ACCOUNTS[subtype] : undefined;
}

function checkedOptions(given: FieldData): Options {
  const parsed = v.safeParse(options, given);
  if (!parsed.success) throw new BadRequest('Each option of a list must be an object with the keys text and order.');
  const entries = Object.entries(parsed.output);
  if (entries.length === 0) throw new BadRequest('A list needs at least one option.');
  if (entries.length > MAX_OPTIONS) throw new BadRequest(`A list can have at most ${MAX_OPTIONS} options.`);
  const texts = new Set<string>();
  for (const [key, { text, order }] of entries) {
    if (key.trim() === '' || text.trim() === '' || order.trim() === '') {
      throw new BadRequest('Key, text and order of an option cannot be empty.');
    }
    if (codePoints(key) > MAX_KEY_LENGTH || /[\0\p{Surrogate}]/u.test(key)) {
      throw new BadRequest(`The key of an option can have at most ${MAX_KEY_LENGTH} characters.`);
    }
    if (texts.has(text.trim())) throw new BadRequest(`The list contains the option "${text.trim()}" twice.`);
    texts.add(text.trim());
  }
  return parsed.output;
}

function checkedAccount(given: FieldData): v.InferOutput<typeof account> {
  const parsed = v.safeParse(account, given);
  if (!parsed.success) {
    throw new BadRequest('An external account needs the key subtype, and optionally url_pattern.');
  }
  const { subtype, url_pattern } = parsed.output;
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
