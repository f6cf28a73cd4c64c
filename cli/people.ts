import type { Session } from '../lib/index.ts';
import { emailKey, errorOf, ROLE_NAMES } from '../lib/internal.ts';
import { ROLES_TO_CHOOSE, roleNamed } from './arguments/parsers.ts';
import type { ProfileValue } from './arguments/values.ts';
import { fold, type Lookups } from './lookups.ts';
import { type RecordKind, type RecordOptions, readRecords } from './records.ts';

export type Person = { email: string; full_name: string; role?: 100 | 200 | 300 | 400 | 600; channels?: string[] };

/** A line of the file: a user, or the reason why the line is not valid. */
export type PersonLine<G = string, P = [field: string, value: string]> = { line: number; email: string } & (
  | { person: Person; groups: G[]; profile: P[] }
  | { reason: string }
);

const PERSON_COLUMNS = ['email', 'full_name', 'role', 'channels', 'groups'] as const;
type Fields = Readonly<Partial<Record<(typeof PERSON_COLUMNS)[number] | 'profile', unknown>>>;

const name = (text: string) => text;

const PERSON_RECORDS: RecordKind = {
  columns: PERSON_COLUMNS,
  names: { channels: name, groups: name },
  aliases: { 'e-mail': 'email', 'full name': 'full_name', name: 'full_name' },
  required: ['email', 'full_name'],
  advice: `The first line must name the columns: ${PERSON_COLUMNS.join()}.`,
};

/** Reads users from a file. An invalid line and a repeated address get a `reason`. */
export async function readPeople(path: string, options: RecordOptions): Promise<PersonLine[]> {
  const first = new Map<string, number>();
  return (await readRecords(path, options, PERSON_RECORDS)).map((record) => {
    const { line } = record;
    if ('fault' in record) return { line, email: '', reason: `This line ${record.fault}.` };
    const fields: Fields = record.fields;
    const email = String(fields.email ?? '').trim();
    const earlier = first.get(emailKey(email));
    if (earlier !== undefined) return { line, email, reason: `Line ${earlier} has the same address.` };
    if (email !== '') first.set(emailKey(email), line);
    try {
      const person = personOf(fields);
      return { line, email, person, groups: namesIn('Groups', fields.groups), profile: profileOf(fields) };
    } catch (error) {
      return { line, email, reason: errorOf(error).message };
    }
  });
}

function personOf({ email, full_name, role, channels }: Fields): Person {
  if (typeof email !== 'string' || email.trim() === '') throw new Error('The e-mail address is missing.');
  if (typeof full_name !== 'string' || full_name.trim() === '') throw new Error('The name is missing.');
  const person = { email: email.trim(), full_name: full_name.trim().normalize('NFC'), role: roleOf(role) };
  const places = namesIn('Channels', channels);
  return places.length === 0 ? person : { ...person, channels: places };
}

function roleOf(given: unknown): Person['role'] {
  const word = String(given ?? '').trim();
  if (word === '') return undefined;
  const role = [...ROLE_NAMES.values()].find((known) => known === Number(word)) ?? roleNamed(word);
  if (role === undefined) throw new Error(`Unknown role "${given}". Roles are ${ROLES_TO_CHOOSE}.`);
  return role as Person['role'];
}

/** Without empty values: they change nothing. */
function profileOf({ profile = {} }: Fields): [field: string, value: string][] {
  return Object.entries(profile as object).flatMap(([field, given]): [string, string][] => {
    const value = String(given ?? '').trim();
    if (/\[object /.test(value) && typeof given !== 'string')
      throw new Error(`"profile:${field}" must be a text or a list of texts.`);
    return value === '' ? [] : [[field, value]];
  });
}

function namesIn(column: string, given: unknown = []): string[] {
  if (!Array.isArray(given) || !given.every((name) => typeof name === 'string'))
    throw new Error(`${column} must be names separated by semicolons, or a JSON list.`);
  return given.map((name) => name.trim()).filter((name) => name !== '');
}

// `users import`: gives accounts the values of their lines.

/** Empty values of a line stay unchanged. Channels are added, never removed. */
interface Wanted {
  line: number;
  user_id: number;
  person: Person;
  profile: readonly ProfileValue[];
}

export interface Update {
  session: Session;
  lookups: Lookups;
  isDryRun: boolean;
}

/** Sets only what differs, so that a second run changes nothing. @returns the changed columns and refusals, by line */
export async function updatePeople(update: Update, wanted: readonly Wanted[]) {
  const people = await editPeople(update, wanted);
  const named = new Map(wanted.flatMap(({ person }) => person.channels ?? []).map((name) => [fold(name), name]));
  for (const [key, name] of named) {
    const joining = people.filter(({ person }) => person.channels?.some((channel) => fold(channel) === key));
    const principals = joining.map(({ user_id }) => user_id);
    const { reason, subscribed = {} } = await subscribe(update, name, principals);
    for (const person of joining) {
      const isNew = Object.hasOwn(subscribed, person.user_id) && !person.changed.includes('channels');
      if (isNew) person.changed.push('channels');
      person.reason ??= reason;
    }
  }
  return new Map(people.map((person) => [person.line, person]));
}

async function editPeople({ session, isDryRun }: Update, wanted: readonly Wanted[]) {
  if (wanted.length === 0) return [];
  const user_ids = wanted.map(({ user_id }) => user_id);
  const { members } = await session.users.list({ user_ids, include_custom_profile_fields: true });
  const present = new Map(members.map((user) => [user.user_id, user]));
  const edit = async (each: Wanted): Promise<Wanted & { changed: string[]; reason?: string }> => {
    const { user_id, person, profile } = each;
    const user = present.get(user_id);
    const { full_name, role = user?.role } = person;
    const now = (id: number) => textOf(user?.profile_data?.[id]?.value ?? '');
    const profile_data = profile.filter(({ id, value }) => now(id) !== textOf(value));
    const values = {
      ...(full_name !== user?.full_name && { full_name }),
      ...(role !== user?.role && { role }),
      ...(profile_data.length > 0 && { profile_data: profile_data.map(({ id, value }) => ({ id, value })) }),
    };
    const names = Object.keys(values).filter((name) => name !== 'profile_data');
    const changed = [...names, ...profile_data.map(({ name }) => `profile:${name}`)];
    if (changed.length === 0) return { ...each, changed };
    const target = isDryRun ? session.dryRun.users : session.users;
    const reason = await refusalOf(target.edit({ user_id, ...values } as Parameters<Session['users']['edit']>[0]));
    return { ...each, changed: reason === undefined ? changed : [], reason };
  };
  return Promise.all(wanted.map(edit));
}

/** The API would create an unknown channel, so its name is looked up first. */
async function subscribe({ session, lookups, isDryRun }: Update, name: string, principals: number[]) {
  const channel = await lookups.find('channel', name);
  if (channel === undefined || channel.is_archived === true)
    return { reason: `There is no active channel named "${name}".` };
  const subscriptions = [{ name: String(channel.name) }];
  const parameters = { subscriptions, principals, authorization_errors_fatal: true };
  const request = isDryRun
    ? session.dryRun.subscriptions.add(parameters).then(({ answer }) => answer)
    : session.subscriptions.add(parameters);
  const reason = await refusalOf(request);
  return reason === undefined ? { subscribed: (await request).subscribed } : { reason };
}

/** The message of a refused request. Throws other errors. */
export async function refusalOf(request: Promise<unknown>): Promise<string | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    const { ChatError } = await import('../lib/index.ts');
    if (!(error instanceof ChatError) || error.status >= 500 || [401, 429].includes(error.status)) throw error;
    return error.message;
  }
}

/** Lists are stored as JSON. */
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)).trim().normalize('NFC');
