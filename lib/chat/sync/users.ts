import { createHash } from 'node:crypto';
import { BadRequest, ChatError, EmailAlreadyInUse } from '../../base/errors.ts';
import { defaultChannelIds } from '../../domains/channels/default-channels.ts';
import { subscribe, unsubscribe } from '../../domains/channels/subscribing.ts';
import { checkGroupLimits } from '../../domains/user-groups/group.ts';
import { applyMembers } from '../../domains/user-groups/memberships.ts';
import { checkDomain, createAccounts } from '../../domains/users/account-creation.ts';
import { deactivate, reactivate } from '../../domains/users/activation.ts';
import { endEarlierAccess, planAdoption } from '../../domains/users/adoption.ts';
import { emailAddress, fullName, nameChecker } from '../../domains/users/names.ts';
import { changeUser } from '../../domains/users/user-change.ts';
import type { User } from '../../model/users.ts';
import { emailKey, fold } from '../../rules/fold.ts';
import { PLACEHOLDER_DOMAIN } from '../../rules/names.ts';
import { defaultRole } from '../../rules/organization-settings.ts';
import { ADMINISTRATOR, isBot, isGuest, MEMBER, roleName } from '../../rules/roles.ts';
import type { AccountContext } from '../../viewer/context.ts';
import { profileData } from '../../views/user-view.ts';
import { channelNamed, groupNamed } from './channels-and-groups.ts';
import type { PackedUsers, UserRow } from './lists.ts';
import { differences, failed, type NamedRecord, type RecordIndex, type SyncRun } from './run.ts';
import type { SyncAction, SyncChange } from './types.ts';

/** Most accounts per transaction. An existing account takes several statements. */
const CREATED_AT_ONCE = 500;
const CHANGED_AT_ONCE = 50;
const READ_AT_ONCE = 1_000;

type Edit = Parameters<typeof changeUser>[2];

/** How an account becomes like its row. */
interface UserPlan {
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

export async function syncUsers(run: SyncRun, users: PackedUsers): Promise<void> {
  const progress = { done: 0, total: users.externalIds.size };
  for (const rows of users.batches()) {
    const { plans, refused } = await run.read(async (context) =>
      planUsers(run, context, await withoutEqual(run, context, rows)),
    );
    const before = run.reported;
    const rowsOf = (some: readonly UserPlan[]) => some.map(({ row }) => row);
    // Existing accounts first: they may give up addresses that other rows were refused.
    const changed = rowsOf(plans.filter(({ account }) => account));
    const created = [...rowsOf(plans.filter(({ account }) => !account)), ...refused.map(({ row }) => row)];
    await applyRows(run, changed, CHANGED_AT_ONCE);
    await applyRows(run, created, CREATED_AT_ONCE);
    run.result.counts.unchanged += rows.length - (run.reported - before);
    progress.done += rows.length;
    run.options.onProgress?.({ ...progress });
  }
}

export async function deactivateMissing(run: SyncRun, listed: ReadonlySet<string>): Promise<void> {
  for (let after = ''; ; ) {
    const some = await run.read(({ tx }) => tx.users.mirrored(after, READ_AT_ONCE));
    const missing = some.filter(({ external_id }) => !listed.has(external_id as string));
    const end = async (context: AccountContext, accounts: readonly User[]) => {
      const now = await context.tx.users.byIds(accounts.map(({ id }) => id));
      const active = now.filter(({ is_active }) => is_active);
      for (const account of active) await deactivate(context, account);
      return active.map(
        ({ id, external_id }): SyncChange => ({
          kind: 'user',
          external_id: external_id as string,
          id,
          action: 'deactivated',
          fields: [{ field: 'is_active', from: true, to: false }],
        }),
      );
    };
    await run.writeInParts(missing, CHANGED_AT_ONCE, end, ({ id, external_id }, error) =>
      failed('user')({ external_id: external_id as string }, error, id),
    );
    const last = some.at(-1)?.external_id;
    if (typeof last !== 'string' || some.length < READ_AT_ONCE) return;
    after = last;
  }
}

/** Compares the rows again, since another process may have changed the accounts, and applies the differences. */
function applyRows(run: SyncRun, rows: readonly UserRow[], most: number): Promise<void> {
  const apply = async (context: AccountContext, some: readonly UserRow[]) => {
    const { plans, refused } = await planUsers(run, context, some);
    // In a dry run, their addresses still belong to others.
    const isHandedOver = ({ email }: UserPlan) => run.freed.has(emailKey(email));
    const applied = await applyPlans(
      run,
      context,
      plans.filter((plan) => !isHandedOver(plan)),
    );
    return [
      ...refused.map(({ change }) => change),
      ...applied,
      ...plans.filter(isHandedOver).map((plan) => changeOf(plan, plan.account?.id ?? null)),
    ];
  };
  return run.writeInParts(rows, most, apply, failed('user'));
}

/** Leaves out the rows that are certainly equal, which takes a fraction of a plan. */
async function withoutEqual(run: SyncRun, context: AccountContext, rows: readonly UserRow[]): Promise<UserRow[]> {
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
async function planUsers(run: SyncRun, context: AccountContext, rows: readonly UserRow[]) {
  const { tx } = context;
  const byId = new Map(
    (await tx.users.byExternalIds(rows.map(({ external_id }) => external_id))).map((user) => [user.external_id, user]),
  );
  const addresses = rows.map((row) => row.email ?? placeholder(row.external_id));
  const byEmail = new Map((await tx.users.byEmails(addresses)).map((user) => [emailKey(user.delivery_email), user]));
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
  for (const [at, row] of rows.entries()) {
    const key = emailKey(addresses[at] as string);
    const holder = run.freed.has(key) ? undefined : byEmail.get(key);
    const isAdopted = holder !== undefined && holder.external_id === null && !isBot(holder);
    const account = byId.get(row.external_id) ?? (isAdopted ? holder : undefined);
    try {
      if (holder && row.email !== undefined && holder.id !== account?.id) throw new EmailAlreadyInUse(row.email);
      const isFirst = account !== undefined && account.external_id === null;
      const planned = isFirst ? planAdoption(account, run.adopt) : undefined;
      // The address of a deactivated account may have gone to another person since.
      const adoption = planned && !account?.is_active ? 'reset' : planned;
      const plan = await planUser(run, context, row, { account, known });
      if (plan) plans.push({ ...plan, adoption });
    } catch (error) {
      if (!(error instanceof ChatError) || error.status >= 500) throw error;
      refused.push({ row, change: failed('user')(row, error, account?.id) });
    }
  }
  return { plans, refused };
}

interface Known {
  /** IDs of channels and groups, by user. */
  subscribed: ReadonlyMap<number, readonly number[]>;
  memberships: ReadonlyMap<number, readonly number[]>;
  checkName(name: string, holder?: number): void;
}

/** @returns undefined if nothing differs */
async function planUser(
  run: SyncRun,
  context: AccountContext,
  row: UserRow,
  { account, known }: { account: User | undefined; known: Known },
): Promise<Omit<UserPlan, 'adoption'> | undefined> {
  const { organization } = context;
  const { external_id, role, is_active = true } = row;
  if (!account && !is_active) return undefined;
  const name = fullName(row.name);
  const ownEmail = account?.delivery_email ?? placeholder(external_id);
  // Also a placeholder, if the host gives back the addresses that it has read in the chat.
  const email = row.email === undefined || row.email === ownEmail ? ownEmail : emailAddress(row.email);
  const present = account && { ...account, name: account.full_name, email: account.delivery_email };
  const fields = differences(present ? { ...present, role: roleName(present.role) } : {}, {
    ...(account ? { external_id } : {}),
    name,
    email,
    role: role === undefined ? undefined : roleName(role),
    ...(account ? { is_active } : {}),
  });
  const isNew = (field: string) => fields.some((change) => change.field === field);
  if (isNew('name')) known.checkName(name, account?.id);
  if (!account && row.email !== undefined) checkDomain(organization, email);
  const stored = account ? profileData(account, organization) : {};
  const profile_data = Object.entries(row.profile ?? {}).flatMap(([title, value]) => {
    const field = organization.profile_fields.find((one) => fold(one.name) === fold(title));
    if (!field) throw new BadRequest(`There is no profile field "${title}".`);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const from = stored[field.id]?.value ?? '';
    if (text.normalize('NFC') === from.normalize('NFC') || (from === '' && (text.trim() === '' || text === '[]')))
      return [];
    fields.push({ field: `profile:${field.name}`, from: from === '' ? null : from, to: text });
    return [{ id: field.id, value }];
  });
  const changed = is_active ? await planMemberships(run, context, row, { account, known }) : NO_MEMBERSHIPS;
  for (const [field, joined, left] of [
    ['channels', changed.joined, changed.left],
    ['groups', changed.joinedGroups, changed.leftGroups],
  ] as const) {
    for (const { name } of joined) fields.push({ field, from: null, to: name });
    for (const { name } of left) fields.push({ field, from: name, to: null });
  }
  if (account && fields.length === 0) return undefined;
  const edit: Edit = {
    ...(account && isNew('name') ? { full_name: name } : {}),
    ...(account && isNew('role') && role !== undefined ? { role } : {}),
    ...(account && isNew('email') ? { new_email: email } : {}),
    ...(profile_data.length > 0 ? { profile_data } : {}),
  };
  return { row, account, name, email, edit, fields, ...changed };
}

const NO_MEMBERSHIPS = { joined: [], left: [], joinedGroups: [], leftGroups: [] };

async function planMemberships(
  run: SyncRun,
  context: AccountContext,
  { channels, groups }: UserRow,
  { account, known }: { account: User | undefined; known: Known },
): Promise<Pick<UserPlan, keyof typeof NO_MEMBERSHIPS>> {
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

async function applyPlans(run: SyncRun, context: AccountContext, plans: readonly UserPlan[]): Promise<SyncChange[]> {
  const { tx } = context;
  const ids = new Map<UserPlan, User>();
  for (const plan of plans) if (plan.account) ids.set(plan, await applyEdit(context, plan, plan.account));
  const fresh = plans.filter(({ account }) => !account);
  const people = fresh.map(({ row, name, email }) => ({
    external_id: row.external_id,
    email,
    is_email_verified: true,
    full_name: name,
    role: row.role ?? defaultRole(context.organization),
  }));
  const created = new Map((await createAccounts(context, people, [])).map((user) => [user.external_id, user]));
  for (const plan of fresh) {
    const user = created.get(plan.row.external_id) as User;
    ids.set(plan, user);
    if (plan.edit.profile_data) await changeUser(context, user, plan.edit);
  }
  const defaults = fresh.length > 0 ? await defaultChannelIds(context) : [];
  /** New accounts join the default channels too, except those that the list decides about. */
  const joinedBy = ({ account, row, joined }: UserPlan) =>
    account
      ? joined
      : [...joined, ...defaults.filter((id) => !row.channels || !run.channels.mirrored(id)).map((id) => ({ id }))];
  await inChannels(context, membersOf(plans, ids, joinedBy), subscribe);
  await inChannels(
    context,
    membersOf(plans, ids, ({ left }) => left),
    unsubscribe,
  );
  for (const [change, members] of [
    ['remove', membersOf(plans, ids, ({ leftGroups }) => leftGroups)],
    ['add', membersOf(plans, ids, ({ joinedGroups }) => joinedGroups)],
  ] as const) {
    for (const group of await tx.groups.heads([...members.keys()]))
      await applyMembers(context, group, change, members.get(group.id) ?? []);
    if (members.size > 0) await checkGroupLimits(context);
  }
  return plans.map((plan) => changeOf(plan, plan.account || !run.options.dryRun ? (ids.get(plan) as User).id : null));
}

async function applyEdit(context: AccountContext, { row, edit, adoption }: UserPlan, found: User): Promise<User> {
  const { external_id, is_active = true } = row;
  const before = adoption === 'reset' ? await endEarlierAccess(context, found) : found;
  if (before.external_id !== external_id) await context.tx.users.update(before.id, { external_id });
  if (is_active && !before.is_active) await reactivate(context, before);
  let account = { ...before, external_id, is_active: is_active || before.is_active };
  if (edit.role !== undefined && edit.role <= ADMINISTRATOR && isGuest(account)) {
    // Guests become members first.
    await changeUser(context, account, { role: MEMBER });
    account = { ...account, role: MEMBER };
  }
  await changeUser(context, account, edit);
  if (!is_active) await deactivate(context, { ...account, role: edit.role ?? account.role });
  return account;
}

/** The users of each channel or group. */
function membersOf(
  plans: readonly UserPlan[],
  users: ReadonlyMap<UserPlan, User>,
  recordsOf: (plan: UserPlan) => readonly Pick<NamedRecord, 'id'>[],
): Map<number, User[]> {
  const members = new Map<number, User[]>();
  for (const plan of plans) {
    for (const { id } of recordsOf(plan)) {
      if (id === undefined) continue;
      const list = members.get(id) ?? [];
      members.set(id, list);
      const user = users.get(plan) as User;
      // One channel or group may have been named twice.
      if (list.at(-1) !== user) list.push(user);
    }
  }
  return members;
}

/** All channels at once: most statements do not depend on their number. */
async function inChannels(
  context: AccountContext,
  members: ReadonlyMap<number, readonly User[]>,
  change: typeof subscribe | typeof unsubscribe,
): Promise<void> {
  if (members.size === 0) return;
  const channels = await context.tx.channels.byIds([...members.keys()]);
  const users = [...new Set([...members.values()].flat())];
  await change(context, channels, users, { usersOf: ({ id }) => members.get(id) ?? [] });
}

const changeOf = (plan: UserPlan, id: number | null): SyncChange => ({
  kind: 'user',
  external_id: plan.row.external_id,
  id,
  action: actionOf(plan),
  fields: plan.fields,
  ...(plan.adoption ? { adoption: plan.adoption } : {}),
});

function actionOf({ account, fields, row }: UserPlan): SyncAction {
  if (!account) return 'created';
  if (account.external_id === null) return 'adopted';
  if (!fields.some(({ field }) => field === 'is_active')) return 'changed';
  return row.is_active === false ? 'deactivated' : 'reactivated';
}

/** The address of an account whose user has none. */
function placeholder(externalId: string): string {
  return `${createHash('sha256').update(externalId).digest('hex').slice(0, 32)}@${PLACEHOLDER_DOMAIN}`;
}
