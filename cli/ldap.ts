import * as v from 'valibot';
import { type LdapDirectory, type LdapEntry, type LdapOptions, ldap, users } from '../lib/index.ts';
import { errorOf, ROLE_NAMES } from '../lib/internal.ts';
import { defined } from './environment.ts';
import { EXIT, Failure, UsageError } from './failure.ts';
import { readJsonFile } from './json-file.ts';
import { oneLine } from './output/text.ts';

/** @throws UsageError if an option is invalid */
export function directoryAt(options: LdapOptions): LdapDirectory {
  try {
    return ldap(options);
  } catch (error) {
    if (error instanceof TypeError)
      throw new UsageError(error.message.replace(/The option (\w+) of ldap/, wrongOption));
    throw error;
  }
}

const wrongOption = (_: string, name: string) => (name === 'url' ? '--ldap' : `--ldap-${name}`);

const attribute = v.pipe(v.string(), v.nonEmpty());
const filter = v.pipe(v.string(), v.regex(/^\(.*\)$/s, 'must be a filter in parentheses'));

/** Which attributes become which fields. */
const MAPPING = v.strictObject({
  users: v.strictObject({
    filter,
    external_id: v.optional(attribute, 'entryUUID'),
    name: v.optional(attribute, 'cn'),
    email: v.optional(attribute, 'mail'),
  }),
  groups: v.optional(
    v.strictObject({
      filter,
      external_id: v.optional(attribute, 'entryUUID'),
      name: v.optional(attribute, 'cn'),
      description: v.optional(attribute, 'description'),
      /** Has the DNs of members: people and groups. */
      members: v.optional(attribute, 'member'),
    }),
  ),
  /** Role of the members of a group, by its name. Others become members. */
  roles: v.optional(v.record(v.string(), v.picklist([...ROLE_NAMES.keys()])), {}),
});

type Mapping = v.InferOutput<typeof MAPPING>;

interface LdapRecord {
  line: number;
  fields: Readonly<Record<string, unknown>>;
}

type LdapRecords = Record<'users' | 'groups', LdapRecord[]>;

/** The users and groups of a directory for `chat.sync`. @param file with the mapping */
export async function ldapRecords(file: string, options: LdapOptions): Promise<LdapRecords> {
  const mapping = readJsonFile(file, MAPPING, 'mapping file');
  try {
    return await recordsOf(directoryAt(options), mapping);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { name, message } = errorOf(error);
    throw new Failure(
      `The directory ${options.url} does not answer, or refuses the search: ${name === 'Error' ? '' : `${name} `}${oneLine(message)}`,
      'Check --ldap and --ldap-base, and the account in PARLANCE_LDAP_BIND_DN and PARLANCE_LDAP_PASSWORD.',
      EXIT.unreachable,
    );
  }
}

async function recordsOf(directory: LdapDirectory, mapping: Mapping): Promise<LdapRecords> {
  const groups = mapping.groups ? await groupsIn(directory, mapping.groups) : [];
  const containing = (dn: string) => {
    const key = keyOf(dn);
    return groups.filter(({ members }) => members.has(key));
  };
  const people: LdapRecord[] = [];
  const { filter, ...attributes } = mapping.users;
  for await (const entry of directory.entries(filter, Object.values(attributes))) {
    const inside = containing(entry.dn);
    const fields = {
      external_id: valueIn(entry, attributes.external_id),
      name: users.toValidName(valueIn(entry, attributes.name)),
      email: textIn(entry, attributes.email),
      role: roleOf(inside, mapping.roles),
      groups: mapping.groups && inside.map(({ external_id }) => external_id),
    };
    people.push({ line: people.length + 1, fields: defined(fields) });
  }
  // Otherwise, a wrong filter with --deactivate-missing would deactivate all.
  if (people.length === 0) throw new UsageError(`The filter ${filter} finds no users. Nothing was changed.`);
  const rows = groups.map(({ dn, members: _, ...fields }, at) => ({
    line: at + 1,
    fields: defined({ ...fields, groups: containing(dn).map(({ external_id }) => external_id) }),
  }));
  return { users: people, groups: rows };
}

type Group = Awaited<ReturnType<typeof groupsIn>>[number];

async function groupsIn(directory: LdapDirectory, { filter, ...attributes }: NonNullable<Mapping['groups']>) {
  const groups = [];
  for await (const entry of directory.entries(filter, Object.values(attributes)))
    groups.push({
      dn: entry.dn,
      external_id: valueIn(entry, attributes.external_id),
      name: valueIn(entry, attributes.name),
      description: textIn(entry, attributes.description),
      members: new Set(entry.get(attributes.members.toLowerCase())?.map(keyOf)),
    });
  return groups;
}

function roleOf(groups: readonly Group[], roles: Mapping['roles']): string | undefined {
  if (Object.keys(roles).length === 0) return undefined;
  const named = groups.flatMap(({ name }) => (Object.hasOwn(roles, name) ? [roles[name] ?? ''] : []));
  return named.sort((a, b) => (ROLE_NAMES.get(a) ?? 0) - (ROLE_NAMES.get(b) ?? 0))[0] ?? 'member';
}

/** DNs ignore case, and spaces after commas. */
const keyOf = (dn: string) => dn.toLowerCase().replace(/\s*,\s*/g, ',');

const textIn = (entry: LdapEntry, name: string) => entry.get(name.toLowerCase())?.find((text) => text.trim() !== '');

function valueIn(entry: LdapEntry, name: string): string {
  const text = textIn(entry, name);
  if (text === undefined)
    throw new UsageError(`The entry ${entry.dn} has no ${name}.`, 'Change the filter, or choose another attribute.');
  return text;
}
