import { createHash } from 'node:crypto';
import { BadRequest, ChatError, EmailAlreadyInUse } from '../../base/errors.ts';
import { checkDomain } from '../../domains/users/account-creation.ts';
import { planAdoption } from '../../domains/users/adoption.ts';
import { emailAddress, fullName, nameChecker } from '../../domains/users/names.ts';
import type { changeUser } from '../../domains/users/user-change.ts';
import type { User } from '../../model/users.ts';
import type { Adopt } from '../../rules/adoption.ts';
import { emailKey, fold } from '../../rules/fold.ts';
import { PLACEHOLDER_DOMAIN } from '../../rules/names.ts';
import { isBot, roleName } from '../../rules/roles.ts';
import type { AccountContext } from '../../viewer/context.ts';
import { profileData } from '../../views/user-view.ts';
import { channelNamed, groupNamed } from './channels-and-groups.ts';
import type { UserRow } from './lists.ts';
import { differences, failed, type NamedRecord, type RecordIndex, type SyncRun } from './run.ts';
import type { SyncChange } from './types.ts';

type Edit = Parameters<typeof changeUser>[2];

/** How an account becomes like its row. */
export interface UserPlan {
  row: UserRow;
  /** Undefined: it is created. */
  account: User | undefined;
  name: string;
  email: string;
  edit: Edit;
  joined: NamedRecord[];
  left: NamedRecord[];
  joinedGroups: NamedRecord[];
  leftGroups: NamedRecord[];
  fields: SyncChange['fields'];
  /** How an account with the address, but without an external ID, is adopted. */
  adoption: 'verified' | 'reset' | undefined;
}

/** Leaves out the rows that are certainly equal, which takes a fraction of a plan. */
export async function withoutEqual(
  run: SyncRun,
  context: AccountContext,
  rows: readonly UserRow[],
): Promise<UserRow[]> {
  const found = await context.tx.users.mirrorsOf(rows.map(({ external_id }) => external_id));
  if (found.length === 0) return [...rows];
  const users = new Map(found.map((user) => [user.external_id, user]));
  const { subscribed, memberships } = await membershipsOf(
    run,
    context,
    found.map(({ id }) => id),
  );
  return rows.filter(({ external_id, name, email, role, is_active = true, channels, groups, profile }) => {
    const user = users.get(external_id);
    if (!user || profile || name !== user.full_name || is_active !== user.is_active) return true;
    if ((email ?? user.delivery_email) !== user.delivery_email || (role ?? user.role) !== user.role) return true;
    if (!is_active) return false;
    return !(
      run.channels.areEqual(channels, subscribed.get(user.id)) && run.groups.areEqual(groups, memberships.get(user.id))
    );
  });
}

/** IDs of the channels and groups of these users, by user. */
async function membershipsOf(run: SyncRun, { tx }: AccountContext, userIds: readonly number[]) {
  const subscribed = new Map<number, number[]>();
  const memberships = new Map<number, number[]>();
  const add = (idsByUser: Map<number, number[]>, user: number, id: number) => {
    const ids = idsByUser.get(user);
    if (ids) ids.push(id);
    else idsByUser.set(user, [id]);
  };
  for (const [channel, users] of await tx.subscriptions.byChannel(userIds))
    for (const user of users) if (!run.ended.has('subscriber', channel, user)) add(subscribed, user, channel);
  for (const { user_id, group_id } of await tx.groups.directMemberships(userIds))
    if (!run.ended.has('member', group_id, user_id)) add(memberships, user_id, group_id);
  return { subscribed, memberships };
}

/** Plans what differs. Writes nothing. A row that is not valid becomes a failure. */
export async function planUsers(run: SyncRun, context: AccountContext, rows: readonly UserRow[]) {
  const { tx } = context;
  const byId = new Map(
    (await tx.users.byExternalIds(rows.map(({ external_id }) => external_id))).map((user) => [user.external_id, user]),
  );
  const byEmail = new Map(
    (await tx.users.byEmails(rows.map(addressOf))).map((user) => [emailKey(user.delivery_email), user]),
  );
  const present = [...new Set([...byId.values(), ...byEmail.values()])].map(({ id }) => id);
  const known = {
    ...(await membershipsOf(run, context, present)),
    checkName: await nameChecker(
      context,
      rows.map(({ name }) => name),
    ),
  };
  const plans: UserPlan[] = [];
  const refused: { row: UserRow; change: SyncChange }[] = [];
  for (const row of rows) {
    const key = emailKey(addressOf(row));
    const holder = run.freed.has(key) ? undefined : byEmail.get(key);
    const account = byId.get(row.external_id) ?? (holder && isAdoptable(holder) ? holder : undefined);
    try {
      if (holder && row.email !== undefined && holder.id !== account?.id) throw new EmailAlreadyInUse(row.email);
      const adoption = account && adoptionOf(account, run.adopt);
      const plan = await planUser(run, context, row, { account, known });
      if (plan) plans.push({ ...plan, adoption });
    } catch (error) {
      if (!(error instanceof ChatError) || error.status >= 500) throw error;
      refused.push({ row, change: failed('user')(row, error, account?.id) });
    }
  }
  return { plans, refused };
}

const isAdoptable = (holder: User) => holder.external_id === null && !isBot(holder);

/** Undefined for an account that already has its external ID. @throws AdoptionRefused */
function adoptionOf(account: User, adopt: Adopt): UserPlan['adoption'] {
  if (account.external_id !== null) return undefined;
  const planned = planAdoption(account, adopt);
  // The address of a deactivated account may have gone to another person since.
  return account.is_active ? planned : 'reset';
}

interface Known {
  /** IDs of channels and groups, by user. */
  subscribed: ReadonlyMap<number, readonly number[]>;
  memberships: ReadonlyMap<number, readonly number[]>;
  checkName(name: string, holder?: number): void;
}

interface Found {
  account: User | undefined;
  known: Known;
}

/** @returns undefined if nothing differs */
async function planUser(
  run: SyncRun,
  context: AccountContext,
  row: UserRow,
  found: Found,
): Promise<Omit<UserPlan, 'adoption'> | undefined> {
  const { account } = found;
  const { is_active = true } = row;
  if (!account && !is_active) return undefined;
  const own = planAccount(context, row, found);
  const profile = planProfile(context, row, account);
  const changed = is_active ? await planMemberships(run, context, row, found) : NO_MEMBERSHIPS;
  const fields = [...own.fields, ...profile.fields, ...membershipFields(changed)];
  if (account && fields.length === 0) return undefined;
  const edit = { ...own.edit, ...(profile.data.length > 0 ? { profile_data: profile.data } : {}) };
  return { row, account, name: own.name, email: own.email, edit, fields, ...changed };
}

/** Name, address, role, external ID and whether the account is active. */
function planAccount({ organization }: AccountContext, row: UserRow, { account, known }: Found) {
  const { external_id, role, is_active = true } = row;
  const name = fullName(row.name);
  const ownEmail = account?.delivery_email ?? placeholder(external_id);
  // Also a placeholder, if the host gives back the addresses that it has read in the chat.
  const email = row.email === undefined || row.email === ownEmail ? ownEmail : emailAddress(row.email);
  const wanted = { name, email, role: role === undefined ? undefined : roleName(role) };
  const fields = account
    ? differences(presentFields(account), { external_id, ...wanted, is_active })
    : differences({}, wanted);
  const isNew = (field: string) => fields.some((change) => change.field === field);
  if (isNew('name')) known.checkName(name, account?.id);
  if (!account && row.email !== undefined) checkDomain(organization, email);
  const edit: Edit = account
    ? {
        ...(isNew('name') ? { full_name: name } : {}),
        ...(isNew('role') && role !== undefined ? { role } : {}),
        ...(isNew('email') ? { new_email: email } : {}),
      }
    : {};
  return { name, email, fields, edit };
}

const presentFields = (account: User) => ({
  ...account,
  name: account.full_name,
  email: account.delivery_email,
  role: roleName(account.role),
});

/** The values of the profile that differ. */
function planProfile({ organization }: AccountContext, { profile = {} }: UserRow, account: User | undefined) {
  const stored = account ? profileData(account, organization) : {};
  const fields: SyncChange['fields'] = [];
  const data: NonNullable<Edit['profile_data']> = [];
  for (const [title, value] of Object.entries(profile)) {
    const field = organization.profile_fields.find((one) => fold(one.name) === fold(title));
    if (!field) throw new BadRequest(`There is no profile field "${title}".`);
    const to = typeof value === 'string' ? value : JSON.stringify(value);
    const from = stored[field.id]?.value ?? '';
    const isEmpty = to.trim() === '' || to === '[]';
    if (to.normalize('NFC') === from.normalize('NFC') || (from === '' && isEmpty)) continue;
    fields.push({ field: `profile:${field.name}`, from: from === '' ? null : from, to });
    data.push({ id: field.id, value });
  }
  return { fields, data };
}

type MembershipPlan = Pick<UserPlan, 'joined' | 'left' | 'joinedGroups' | 'leftGroups'>;

const NO_MEMBERSHIPS: MembershipPlan = { joined: [], left: [], joinedGroups: [], leftGroups: [] };

function membershipFields({ joined, left, joinedGroups, leftGroups }: MembershipPlan): SyncChange['fields'] {
  const added = (field: string) => (record: NamedRecord) => ({ field, from: null, to: record.name });
  const removed = (field: string) => (record: NamedRecord) => ({ field, from: record.name, to: null });
  return [
    ...[...joined.map(added('channels')), ...left.map(removed('channels'))],
    ...[...joinedGroups.map(added('groups')), ...leftGroups.map(removed('groups'))],
  ];
}

async function planMemberships(
  run: SyncRun,
  context: AccountContext,
  { channels, groups }: UserRow,
  { account, known }: Found,
): Promise<MembershipPlan> {
  const plan = async (
    index: RecordIndex,
    references: readonly string[] | undefined,
    find: typeof channelNamed,
    present: readonly number[] = [],
  ): Promise<[joined: NamedRecord[], left: NamedRecord[]]> => {
    if (!references) return [[], []];
    const wanted = new Map<number | string, NamedRecord>();
    for (const reference of references) {
      const record = await find(run, context, reference);
      wanted.set(record.id ?? record.name, record);
    }
    const inside = new Set<number | undefined>(present);
    const left = present
      .flatMap((id) => index.mirrored(id) ?? [])
      .filter(({ id, isPast }) => !isPast && !wanted.has(id ?? ''));
    return [[...wanted.values()].filter(({ id }) => !inside.has(id)), left];
  };
  const id = account?.id ?? 0;
  const [joined, left] = await plan(run.channels, channels, channelNamed, known.subscribed.get(id));
  const [joinedGroups, leftGroups] = await plan(run.groups, groups, groupNamed, known.memberships.get(id));
  return { joined, left, joinedGroups, leftGroups };
}

const addressOf = ({ email, external_id }: UserRow) => email ?? placeholder(external_id);

/** The address of an account whose user has none. */
function placeholder(externalId: string): string {
  return `${createHash('sha256').update(externalId).digest('hex').slice(0, 32)}@${PLACEHOLDER_DOMAIN}`;
}
