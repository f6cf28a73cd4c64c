import * as v from 'valibot';
import { BadRequest } from '../../base/errors.ts';
import { codePoints, describe, either, id, list, text } from '../../base/schemas.ts';
import { renderMarkdown } from '../../markdown/render.ts';
import type { ProfileField, ProfileFieldType } from '../../model/organization.ts';
import type { User } from '../../model/users.ts';
import { isAdministrator, isBot } from '../../rules/roles.ts';
import type { AccountContext, WriteContext } from '../../viewer/context.ts';
import { checkUnlocked } from '../../views/external-ids.ts';
import { type ProfileData, type ProfileValue, profileData } from '../../views/user-view.ts';
import { emitAccountUpdated } from './accounts/events.ts';
import { accessProfileField, isWebAddress, optionsOf } from './profile-fields/field.ts';

const MAX_VALUES = 200;
const MAX_PEOPLE = 200;
/** In code points: enough for the longest list of people. */
const MAX_VALUE = 5_000;

/** In characters, for all fields of an account together. Every client loads the profiles of all accounts at start. */
const MAX_PROFILE = 10_000;

export const profileDataParam = describe(
  list(
    v.object(
      {
        id: describe(id, 'ID of the field.'),
        value: describe(
          v.nullable(either([text(MAX_VALUE), list(id, MAX_PEOPLE)], 'must be a string, a list of user IDs or null')),
          'Depends on the type of the field. null, an empty string or an empty list removes the value.',
        ),
      },
      'must be an object with id and value',
    ),
    MAX_VALUES,
  ),
  'Values by field ID, for example `[{"id":4,"value":"Soup"},{"id":5,"value":[7,9]}]`.',
);

type ProfileDataParams = v.InferOutput<typeof profileDataParam>;

/**
 * Validates new values, writes those that change, and sends one event per field to the users who see the account. Bots
 * have no profile.
 */
export async function changeProfileData(context: AccountContext, target: User, given: ProfileDataParams) {
  if (given.length === 0) return;
  if (isBot(target)) throw new BadRequest('Bots have no custom profile fields.');
  const present = profileData(target, context.organization);
  const change = await planChange(context, given, present);
  if (change.length === 0) return;
  checkUnlocked(context, 'profile', [target]);
  const profile_data = withChange(present, change, Math.max(MAX_PROFILE, target.profile_data.length));
  const user = await context.tx.users.update(target.id, { profile_data });
  const events = change.map(([id, value]) => ({
    custom_profile_field: { id, ...(value ?? { value: null }) },
  }));
  await emitAccountUpdated(context, user, ...events);
}

/** The `profile_data` of an account to be created. @throws BadRequest if a value is not valid for its field */
export async function newProfileData(context: AccountContext, given: ProfileDataParams): Promise<string> {
  return withChange({}, await planChange(context, given, {}), MAX_PROFILE);
}

type ProfileChange = [fieldId: number, value: ProfileValue | null][];

/** The values that differ from the present ones. */
async function planChange(
  context: AccountContext,
  given: ProfileDataParams,
  present: ProfileData,
): Promise<ProfileChange> {
  const { actor, organization } = context;
  const checkPeople = await peopleChecker(context, given, present);
  const wanted = new Map<number, ProfileValue | null>();
  for (const { id, value } of given) {
    const field = accessProfileField(organization, id);
    if (!field.editable_by_user && !isAdministrator(actor)) {
      throw new BadRequest(`Only administrators can edit the profile field "${field.name}".`);
    }
    const stored = storedValue(field, value, checkPeople);
    wanted.set(id, stored === null ? null : withHtml(field, stored, context));
  }
  return [...wanted].filter(([id, value]) => present[id]?.value !== value?.value);
}

function withChange(present: ProfileData, change: ProfileChange, max: number): string {
  const data = { ...present };
  for (const [id, value] of change) {
    if (value) data[id] = value;
    else delete data[id];
  }
  const profile_data = JSON.stringify(data);
  if (profile_data.length > max)
    throw new BadRequest(`All profile fields together can have at most ${MAX_PROFILE} characters, including HTML.`);
  return profile_data;
}

/** In code points, by field type. */
const MAX_LENGTHS: Readonly<Partial<Record<ProfileFieldType, number>>> = { 1: 50, 2: 500, 5: 1_000, 7: 50, 8: 50 };

interface Format {
  takes: string;
  isValid(text: string, field: ProfileField): boolean;
}

/** Of the field types that do not take any text. */
const FORMATS: Readonly<Partial<Record<ProfileFieldType, Format>>> = {
  3: { takes: 'the key of one of its options', isValid: (key, field) => Object.hasOwn(optionsOf(field), key) },
  4: { takes: 'a date such as 2030-01-31', isValid: isDate },
  5: { takes: 'a URL such as https://example.com/', isValid: isWebAddress },
};

type CheckPeople = Awaited<ReturnType<typeof peopleChecker>>;

/** The value as it is stored; null: no value. @throws BadRequest if it is not valid for the field */
function storedValue(field: ProfileField, given: string | number[] | null, checkPeople: CheckPeople): string | null {
  if (field.type === 6) return storedPeople(field, given, checkPeople);
  if (given !== null && typeof given !== 'string') throw unfit(field, 'takes a string');
  return given === null || given.trim() === '' ? null : storedText(field, given);
}

function storedPeople(field: ProfileField, given: string | number[] | null, checkPeople: CheckPeople): string | null {
  const ids = peopleIn(given);
  if (ids === undefined) throw unfit(field, 'takes a list of user IDs');
  if (ids.length > MAX_PEOPLE) throw unfit(field, `takes at most ${MAX_PEOPLE} people`);
  checkPeople(ids, field);
  return ids.length === 0 ? null : JSON.stringify(ids);
}

/** In NFC unless it is a key or a URL. */
function storedText(field: ProfileField, given: string): string {
  const max = MAX_LENGTHS[field.type];
  if (max !== undefined && codePoints(given) > max) throw unfit(field, `takes at most ${max} characters`);
  const format = FORMATS[field.type];
  if (format && !format.isValid(given, field)) throw unfit(field, `takes ${format.takes}`);
  return [3, 5].includes(field.type) ? given : given.normalize('NFC');
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Date.parse reads February 30 as a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function unfit({ name }: ProfileField, what: string): BadRequest {
  return new BadRequest(`The profile field "${name}" ${what}.`);
}

/** Short and long texts are Markdown. */
function withHtml({ type }: ProfileField, value: string, { organization }: WriteContext): ProfileValue {
  return type <= 2 ? { value, rendered_value: renderMarkdown(value, organization.linkifiers) } : { value };
}

/** User IDs, also given as a JSON string; undefined for any other string. */
function peopleIn(given: string | readonly number[] | null): number[] | undefined {
  if (given === null || (typeof given === 'string' && given.trim() === '')) return [];
  if (typeof given !== 'string') return [...new Set(given)];
  if (!/^\s*\[[\d\s,]*\]\s*$/.test(given)) return undefined;
  try {
    const ids: unknown[] = JSON.parse(given);
    return ids.every((id): id is number => Number.isSafeInteger(id)) ? [...new Set(ids)] : undefined;
  } catch {
    return undefined;
  }
}

/** Looks up all given people in one query. People already in the field may stay, even if deactivated since. */
async function peopleChecker(context: AccountContext, given: ProfileDataParams, present: ProfileData) {
  const { tx, organization } = context;
  const isOfPeople = new Set(organization.profile_fields.filter(({ type }) => type === 6).map((field) => field.id));
  const named = given.flatMap(({ id, value }) =>
    isOfPeople.has(id) ? (peopleIn(value)?.slice(0, MAX_PEOPLE) ?? []) : [],
  );
  if (named.length === 0) return () => undefined;
  const visible = await context.viewer.visibleUserIds();
  const people = new Map((await tx.users.byIds([...new Set(named)])).map((user) => [user.id, user]));
  return (ids: readonly number[], field: ProfileField) => {
    const there = new Set(peopleIn(present[field.id]?.value ?? null));
    for (const id of ids) {
      if (there.has(id)) continue;
      const user = people.get(id);
      if (!user || user.is_system_bot || (visible && !visible.has(id))) {
        throw new BadRequest(`There is no user with ID ${id}.`);
      }
      if (isBot(user)) throw unfit(field, `takes only people, but ${user.full_name} is a bot`);
      if (!user.is_active) throw new BadRequest(`The user with ID ${id} has been deactivated.`);
    }
  };
}
