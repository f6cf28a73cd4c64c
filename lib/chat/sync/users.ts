import { present } from '../../base/present.ts';
import { defaultChannelIds } from '../../domains/channels/default-channels.ts';
import { subscribe, unsubscribe } from '../../domains/channels/subscribing.ts';
import { checkGroupLimits } from '../../domains/user-groups/group.ts';
import { applyMembers } from '../../domains/user-groups/memberships.ts';
import { createAccounts } from '../../domains/users/account-creation.ts';
import { deactivate, reactivate } from '../../domains/users/activation.ts';
import { endEarlierAccess } from '../../domains/users/adoption.ts';
import { changeUser } from '../../domains/users/user-change.ts';
import type { User } from '../../model/users.ts';
import { emailKey } from '../../rules/fold.ts';
import { defaultRole } from '../../rules/organization-settings.ts';
import { ADMINISTRATOR, isGuest, MEMBER } from '../../rules/roles.ts';
import type { AccountContext } from '../../viewer/context.ts';
import type { PackedUsers, UserRow } from './lists.ts';
import { failed, type NamedRecord, type SyncRun } from './run.ts';
import type { SyncAction, SyncChange } from './types.ts';
import { planUsers, type UserPlan, withoutEqual } from './user-plan.ts';

/** Most accounts per transaction. An existing account takes several statements. */
const CREATED_AT_ONCE = 500;
const CHANGED_AT_ONCE = 50;
const READ_AT_ONCE = 1_000;

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
    const missing = some.filter(({ external_id }) => !listed.has(present(external_id)));
    const end = async (context: AccountContext, accounts: readonly User[]) => {
      const now = await context.tx.users.byIds(accounts.map(({ id }) => id));
      const active = now.filter(({ is_active }) => is_active);
      for (const account of active) await deactivate(context, account);
      return active.map(
        ({ id, external_id }): SyncChange => ({
          kind: 'user',
          external_id: present(external_id),
          id,
          action: 'deactivated',
          fields: [{ field: 'is_active', from: true, to: false }],
        }),
      );
    };
    await run.writeInParts(missing, CHANGED_AT_ONCE, end, ({ id, external_id }, error) =>
      failed('user')({ external_id: present(external_id) }, error, id),
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
    const user = present(created.get(plan.row.external_id));
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
  return plans.map((plan) => changeOf(plan, plan.account || !run.options.dryRun ? present(ids.get(plan)).id : null));
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
      const user = present(users.get(plan));
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
