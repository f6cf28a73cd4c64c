import type { ReadContext, TransactionContext } from '../kernel/context.ts';
import { BadRequest } from '../kernel/errors.ts';
import { organizationPermission } from '../rules/organization-settings.ts';
import { ADMINISTRATOR, isAdministrator, isGuest, OWNER } from '../rules/roles.ts';
import { systemGroupId } from '../rules/system-groups.ts';
import type { Organization } from '../storage/interface/organization.ts';
import type { User } from '../storage/interface/users.ts';
import { placeholderEmail, roleSeesEmail } from './user-view.ts';

/** Conversations looked at to find whom a restricted guest knows. */
const MAX_DIRECTS = 5_000;

/** Whether somebody sees only some accounts: guests, where the organization does not show them everybody. */
export function isRestricted(viewer: Pick<User, 'role'>, organization: Organization): boolean {
  const permission = organizationPermission(organization, 'can_access_all_users_group');
  return isGuest(viewer) && permission !== systemGroupId('role:everyone');
}

/**
 * Ids of the accounts a user may see, or undefined for "everybody": only guests can be restricted, and
 * then see bots and those they share a channel or a direct conversation with.
 */
export async function visibleUserIds(context: ReadContext, viewer: User): Promise<Set<number> | undefined> {
  const { tx, organization } = context;
  if (!isRestricted(viewer, organization)) return undefined;
  const visible = new Set([viewer.id]);
  for (const user of await tx.users.changedSince(0)) if (user.bot_type !== null) visible.add(user.id);
  const subscriptions = await tx.subscriptions.ofUser(viewer.id);
  const channels = subscriptions.map((subscription) => subscription.channel_id);
  for (const ids of (await tx.subscriptions.subscriberIds(channels)).values()) {
    for (const id of ids) visible.add(id);
  }
  for (const { conversation } of await tx.conversations.directsOf(viewer.id, MAX_DIRECTS)) {
    for (const id of conversation.participants) visible.add(id);
  }
  return visible;
}

/**
 * The account with this id.
 * @throws BadRequest where there is none; in other words where the viewer may not see it, since ids are
 * counted and tell nothing: lists show a hidden account as an unknown user under its id.
 */
export async function accessUser(
  context: ReadContext & Pick<TransactionContext, 'account'>,
  viewer: User,
  id: number,
): Promise<User> {
  const user = await context.account(id);
  if (!user) throw new BadRequest(`There is no user with ID ${id}.`);
  const visible = await visibleUserIds(context, viewer);
  if (visible && !visible.has(id)) throw new BadRequest('You are not allowed to see this user.');
  return user;
}

/**
 * The account with this address: the real one where the viewer may see it, or the placeholder.
 * @throws BadRequest where there is none, and in the same words where the viewer may not see the account:
 * whether an address belongs to somebody is not theirs to learn.
 */
export async function accessUserByAddress(context: ReadContext, viewer: User, address: string): Promise<User> {
  const refusal = () => new BadRequest(`There is no user with the address "${address}".`);
  const user = (await usersByAddress(context, viewer, [address])).get(address);
  if (!user) throw refusal();
  const visible = await visibleUserIds(context, viewer);
  if (visible && !visible.has(user.id)) throw refusal();
  return user;
}

/**
 * The accounts a request names, by id or by API address, each once.
 * @throws BadRequest where one of them does not exist or is deactivated; for one that is hidden from the
 * viewer, or is a system bot, as if there were none with its id.
 */
export async function accessUsers(
  context: ReadContext,
  viewer: User,
  named: readonly (number | string)[],
): Promise<User[]> {
  const ids = named.filter((name) => typeof name === 'number');
  const addresses = named.filter((name) => typeof name === 'string');
  const users = new Map<number, User>();
  if (ids.length > 0) for (const user of await context.tx.users.byIds(ids)) users.set(user.id, user);
  const missing = ids.find((id) => !users.has(id));
  if (missing !== undefined) throw new BadRequest(`There is no user with ID ${missing}.`);
  if (addresses.length > 0) {
    const found = await usersByAddress(context, viewer, addresses);
    const unknown = addresses.find((address) => !found.has(address));
    if (unknown !== undefined) throw new BadRequest(`There is no user with the address "${unknown}".`);
    for (const user of found.values()) users.set(user.id, user);
  }
  const visible = await visibleUserIds(context, viewer);
  for (const user of users.values()) {
    if (!user.is_active) throw new BadRequest(`The user with ID ${user.id} has been deactivated.`);
    if (user.is_system_bot || (visible && !visible.has(user.id))) {
      throw new BadRequest(`There is no user with ID ${user.id}.`);
    }
  }
  return [...users.values()];
}

/** The account with this id, if the caller may administer it: an administrator, or the owner of the bot. */
export async function accessAdministeredUser(context: ReadContext, actor: User, id: number): Promise<User> {
  const user = await context.tx.users.byId(id);
  if (!user || user.is_system_bot) throw new BadRequest(`There is no user with ID ${id}.`);
  if (!isAdministrator(actor) && user.bot_owner_id !== actor.id) {
    throw new BadRequest('You are not allowed to administer this user.');
  }
  return user;
}

/**
 * Accounts by address, in two statements: by the real one where the viewer may see it, or by the
 * placeholder. Keyed by the address as given; what leads to nobody is left out. Accounts hidden from the
 * viewer are among them.
 */
export async function usersByAddress(
  { tx, organization }: ReadContext,
  viewer: User,
  addresses: readonly string[],
): Promise<Map<string, User>> {
  const keys = new Map(addresses.map((address) => [address, address.trim().toLowerCase()]));
  const found = new Map<string, User>();
  for (const user of await tx.users.byEmails([...new Set(keys.values())])) {
    const isShown =
      user.id === viewer.id || user.bot_type !== null || roleSeesEmail(user.email_visibility, viewer.role);
    if (isShown) found.set(user.delivery_email.toLowerCase(), user);
  }
  const ids = [...keys.values()].map((key) => /^user(\d{1,15})@/.exec(key)?.[1]).filter((id) => id !== undefined);
  for (const user of ids.length > 0 ? await tx.users.byIds(ids.map(Number)) : []) {
    found.set(placeholderEmail(user.id, organization).toLowerCase(), user);
  }
  const answer = new Map<string, User>();
  for (const [address, key] of keys) {
    const user = found.get(key);
    if (user) answer.set(address, user);
  }
  return answer;
}

export function administratorIds({ tx }: Pick<ReadContext, 'tx'>): Promise<number[]> {
  return tx.users.activeIds([OWNER, ADMINISTRATOR]);
}
