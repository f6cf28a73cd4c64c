import { errorOf } from '../base/caught.ts';
import { present } from '../base/present.ts';
import { domainProblem, newAccount, newBot } from '../domains/users/account-creation.ts';
import { planAdoption } from '../domains/users/adoption.ts';
import { isEmailAddress, users as userNames } from '../domains/users/names.ts';
import type { NewUser, User } from '../model/users.ts';
import { emailKey, nameKey } from '../rules/fold.ts';
import { MAX_GROUP_DESCRIPTION_LENGTH, MAX_GROUP_NAME_LENGTH } from '../rules/names.ts';
import { organizationSetting } from '../rules/organization-settings.ts';
import { isBot, MEMBER, ROLE_NAMES } from '../rules/roles.ts';
import { truncate } from '../rules/topics.ts';
import type { AccountContext } from '../viewer/context.ts';
import { freeName, lineOf } from './free-names.ts';
import { type Counted, knownAmong, placeholder, storedKey } from './run.ts';
import type { ImportedGroup, ImportedUser, MissingAuthor } from './source.ts';

const GENERIC_BOT = 1;
/** Of an account, in code points. */
const MAX_NAME = 100;

/**
 * Creates missing accounts. Uses an existing account with the same verified address for the imported user.
 * @param options `isPlan`: write nothing, but count
 */
export async function importUsers(
  context: AccountContext,
  given: readonly ImportedUser[],
  { isPlan = false } = {},
): Promise<Counted> {
  const { tx } = context;
  const known = await knownAmong(
    context,
    given.map(({ key }) => ['user', key]),
  );
  const missing = given.filter(({ key }) => known.id('user', key) === undefined);
  const addresses = missing.flatMap(({ email }) => (email === undefined ? [] : [email]));
  const accounts = new Map((await tx.users.byEmails(addresses)).map((user) => [emailKey(user.delivery_email), user]));
  const conflicts: string[] = [];
  const found: { key: string; record_id: number }[] = [];
  const made = new Map<string, NewUser>();
  const names = await namesTaken(context, missing);
  const taken = new Set<string>();
  for (const user of missing) {
    const account = user.email === undefined ? undefined : accounts.get(emailKey(user.email));
    const problem = addressProblem(context, user, { account, taken });
    if (account && problem === undefined) {
      found.push({ key: user.key, record_id: account.id });
      conflicts.push(
        `The account with ID ${account.id} has the address "${user.email}". The import uses it for "${user.name}".`,
      );
      continue;
    }
    if (problem !== undefined) conflicts.push(problem);
    const email = problem === undefined ? user.email?.trim() : undefined;
    if (email !== undefined) taken.add(emailKey(email));
    made.set(user.key, accountOf(context, user, email, names));
  }
  if (!isPlan) {
    const created = await tx.users.createMany([...made.values()]);
    const ids = new Map(created.map(({ delivery_email, id }) => [delivery_email, id]));
    const added = [...made].map(([key, { delivery_email }]) => ({ key, record_id: present(ids.get(delivery_email)) }));
    await tx.imports.add([
      ...[...found, ...added].map(({ key, record_id }) => ({ key: storedKey('user', key), record_id })),
      ...added.map(({ key, record_id }) => ({ key: storedKey('new user', key), record_id })),
    ]);
  }
  return {
    imported: { user: made.size },
    present: { user: given.length - made.size },
    conflicts,
  };
}

/** Why the imported user gets an account without an address. */
function addressProblem(
  { organization }: AccountContext,
  { name, email, isBot: isImportedBot }: ImportedUser,
  { account, taken }: { account: User | undefined; taken: ReadonlySet<string> },
): string | undefined {
  if (email === undefined) return undefined;
  const instead = `"${name}" gets a new account without an address.`;
  if (!isEmailAddress(email.trim())) return `"${email}" is not an e-mail address. ${instead}`;
  if (taken.has(emailKey(email))) return `Several users have the address "${email}". ${instead}`;
  if (!account) {
    const problem = isImportedBot ? undefined : domainProblem(organization, email.trim());
    return problem && `"${email}" is not allowed: ${problem} ${instead}`;
  }
  if (isBot(account) !== isImportedBot) return `The address "${email}" belongs to another kind of account. ${instead}`;
  try {
    planAdoption(account, 'verified');
    return undefined;
  } catch (error) {
    return `${errorOf(error).message} ${instead}`;
  }
}

function accountOf(
  { organization, now }: AccountContext,
  user: ImportedUser,
  email: string | undefined,
  names: Set<string>,
): NewUser {
  const full_name = freeName(userNames.toValidName(user.name), MAX_NAME, (name) => names.has(nameKey(name)));
  if (organizationSetting(organization, 'require_unique_names')) names.add(nameKey(full_name));
  const account = { email: email ?? placeholder(user.key), full_name, now: user.joinedMs ?? now };
  if (user.isBot) return { ...newBot(account, { bot_type: GENERIC_BOT }), is_active: user.isActive };
  return {
    ...newAccount({
      ...account,
      organization,
      role: ROLE_NAMES.get(user.role) ?? MEMBER,
      // The operator vouches for the addresses of the export.
      is_email_verified: email !== undefined,
      timezone: timezoneOf(user.timezone),
    }),
    is_active: user.isActive,
  };
}

function timezoneOf(given: string | undefined): string {
  try {
    return given ? new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions().timeZone && given : '';
  } catch {
    return '';
  }
}

/** Names of existing accounts, if the organization requires unique names. */
async function namesTaken({ tx, organization }: AccountContext, given: readonly ImportedUser[]): Promise<Set<string>> {
  if (!organizationSetting(organization, 'require_unique_names')) return new Set();
  const alike = await tx.users.withNamesLike(given.map(({ name }) => userNames.toValidName(name)));
  return new Set(alike.map(({ full_name }) => nameKey(full_name)));
}

/** Creates accounts for authors and readers that the export lacks. */
export async function addPlaceholders(
  context: AccountContext,
  missing: ReadonlyMap<string, MissingAuthor | undefined>,
): Promise<Counted> {
  return importUsers(
    context,
    [...missing].map(([key, author]) => ({
      type: 'user',
      key,
      name: author?.name ?? `Unknown user ${key.replace(/^.*\//, '')}`,
      role: 'member',
      isActive: false,
      isBot: author?.isBot ?? false,
    })),
  );
}

export async function importGroups(
  context: AccountContext,
  given: readonly ImportedGroup[],
  { isPlan = false } = {},
): Promise<Counted> {
  const { tx, now } = context;
  const known = await knownAmong(
    context,
    given.flatMap(({ key, members }) => [['group', key] as const, ...members.map((user) => ['user', user] as const)]),
  );
  const missing = given.filter(({ key }) => known.id('group', key) === undefined);
  const conflicts: string[] = [];
  const taken = new Set<string>();
  for (const { key, name: wanted, description, members } of missing) {
    const name = await groupName(context, wanted, taken);
    if (name !== lineOf(wanted, MAX_GROUP_NAME_LENGTH))
      conflicts.push(`The group "${wanted}" gets the name "${name}".`);
    if (isPlan) continue;
    const record_id = await tx.groups.create({
      external_id: null,
      name,
      description: truncate(description, MAX_GROUP_DESCRIPTION_LENGTH, '…'),
      is_system_group: false,
      creator_id: null,
      created_ms: now,
      deactivated: false,
      settings: {},
      members: idsOf(members, (user) => known.id('user', user)),
      direct_subgroup_ids: [],
    });
    await tx.imports.add([{ key: storedKey('group', key), record_id }]);
  }
  return { imported: { group: missing.length }, present: { group: given.length - missing.length }, conflicts };
}

async function groupName({ tx }: AccountContext, wanted: string, taken: Set<string>): Promise<string> {
  // Names of the roles begin with `role:`, and a mention of a role must not mean the group.
  const line = lineOf(wanted.replace(/^(?:@|role:|user:|stream:|channel:)+/, ''), MAX_GROUP_NAME_LENGTH);
  for (;;) {
    const name = freeName(line, MAX_GROUP_NAME_LENGTH, (each) => taken.has(nameKey(each)));
    taken.add(nameKey(name));
    if ((await tx.groups.headsByNames([name])).length === 0) return name;
  }
}

/** Ascending, without unknown users. */
export const idsOf = (keys: readonly string[], idOf: (key: string) => number | undefined): number[] =>
  [...new Set(keys.map(idOf))].filter((id) => id !== undefined).sort((a, b) => a - b);
