import { BadRequest } from '../base/errors.ts';
import type { Organization } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import { emailKey } from '../rules/fold.ts';
import { organizationPermission } from '../rules/organization-settings.ts';
import { ADMINISTRATOR, isAdministrator, isGuest, OWNER, roomsOf, systemGroupId, traceOf } from '../rules/roles.ts';
import { placeholderEmail, roleSeesEmail } from '../views/user-view.ts';
import type { ReadContext, TransactionContext } from './context.ts';

/** Whether guests see only bots and the users who share a channel or direct conversation with them. */
export function areGuestsRestricted(organization: Organization): boolean {
  return organizationPermission(organization, 'can_access_all_users_group') !== systemGroupId('role:everyone');
}

export function isRestricted(viewer: Pick<User, 'role'>, organization: Organization): boolean {
  return isGuest(viewer) && (roomsOf(viewer) !== undefined || areGuestsRestricted(organization));
}

/**
 * IDs of the accounts that a user can see; undefined means all. Only guests can be restricted. They then see bots and
 * the users who share a channel or direct conversation with them. With a token that is limited to rooms, they see only
 * the users in these rooms.
 */
export async function visibleUserIds(
  { tx, organization }: Pick<ReadContext, 'tx' | 'organization'>,
  viewer: User,
): Promise<ReadonlySet<number> | undefined> {
  const rooms = roomsOf(viewer);
  if (rooms) return rooms.users;
  if (!isRestricted(viewer, organization)) return undefined;
  return new Set([viewer.id, ...(await tx.guestVisibility.visibleTo(viewer.id))]);
}

const named = (name: number | string) =>
  typeof name === 'number' ? `with ID ${name}` : `with the address "${name.trim()}"`;

/**
 * The same error for missing accounts and for accounts that the viewer cannot see. Released clients look for the first
 * words about an address.
 */
export const noUser = (name: number | string) =>
  new BadRequest(
    typeof name === 'number'
      ? `There is no user with ID ${name}.`
      : `Invalid email '${name.trim()}': there is no user with this address.`,
  );

function hiddenUser(viewer: User, name: number | string, user: User | undefined): BadRequest {
  const reason = user?.is_system_bot
    ? 'it is a system bot.'
    : 'they are a restricted guest and share no channel or direct conversation with it.';
  const detail = user
    ? `There is an account ${named(name)}, but ${reason}`
    : `There is no account ${named(name)} that they can see.`;
  traceOf(viewer)?.({ rule: 'user', isYes: false, detail });
  return noUser(name);
}

/** The account with this ID. @throws BadRequest if it does not exist or the viewer cannot see it. */
export async function accessUser(context: ReadContext & Pick<TransactionContext, 'account'>, viewer: User, id: number) {
  const user = await context.account(id);
  const visible = await visibleUserIds(context, viewer);
  if (!user || (visible && !visible.has(id))) throw hiddenUser(viewer, id, user);
  return user;
}

/** The account with this API address. @throws BadRequest if it is missing or the viewer cannot see it */
export async function accessUserByAddress(context: ReadContext, viewer: User, address: string): Promise<User> {
  const [user] = await accessNamedUsers(context, viewer, [address], { systemBots: true });
  if (!user) throw noUser(address);
  return user;
}

/**
 * The accounts with these IDs or API addresses, without duplicates; active or not.
 * @throws BadRequest for the first unknown ID or address; with the same message for hidden accounts and, by default,
 * system bots
 */
export async function accessNamedUsers(
  context: ReadContext,
  viewer: User,
  names: readonly (number | string)[],
  options: { systemBots?: boolean } = {},
): Promise<User[]> {
  const ids = names.filter((name) => typeof name === 'number');
  const addresses = names.filter((name) => typeof name === 'string');
  const byId = new Map((ids.length > 0 ? await context.tx.users.byIds(ids) : []).map((user) => [user.id, user]));
  const byAddress = addresses.length > 0 ? await usersByAddress(context, viewer, addresses) : new Map<string, User>();
  const visible = names.length > 0 ? await visibleUserIds(context, viewer) : undefined;
  const users = new Map<number, User>();
  for (const name of names) {
    const user = typeof name === 'number' ? byId.get(name) : byAddress.get(name);
    const isHidden = user && ((user.is_system_bot && !options.systemBots) || (visible && !visible.has(user.id)));
    if (!user || isHidden) throw hiddenUser(viewer, name, user);
    users.set(user.id, user);
  }
  return [...users.values()];
}

/** Like `accessNamedUsers`. Refuses deactivated accounts, too. */
export async function accessUsers(context: ReadContext, viewer: User, names: readonly (number | string)[]) {
  const users = await accessNamedUsers(context, viewer, names);
  const inactive = users.find((user) => !user.is_active);
  if (inactive) throw new BadRequest(`The user with ID ${inactive.id} has been deactivated.`);
  return users;
}

/** The account with this ID, if the caller can administer it: as an administrator or as owner of the bot. */
export async function accessAdministeredUser(context: ReadContext, actor: User, id: number): Promise<User> {
  const user = await context.tx.users.byId(id);
  const isOwn = user?.bot_owner_id === actor.id;
  const visible = isOwn ? undefined : await visibleUserIds(context, actor);
  if (!user || user.is_system_bot) throw noUser(id);
  if (isAdministrator(actor)) return user;
  if (visible && !visible.has(id)) throw hiddenUser(actor, id, user);
  const detail = isOwn ? 'They own the bot.' : 'They do not own this account as a bot.';
  traceOf(actor)?.({ rule: 'user', isYes: isOwn, detail });
  if (!isOwn) throw new BadRequest('You are not allowed to administer this user.');
  return user;
}

/**
 * Accounts by real address, if the viewer may see it, or by placeholder address. Takes two queries. The keys are the
 * given addresses; unknown addresses are skipped. Includes accounts that the viewer cannot see.
 */
export async function usersByAddress({ tx, organization }: ReadContext, viewer: User, addresses: readonly string[]) {
  const keys = new Map(addresses.map((address) => [address, emailKey(address)]));
  const found = new Map<string, User>();
  for (const user of await tx.users.byEmails([...new Set(keys.values())])) {
    const isShown =
      user.id === viewer.id || user.bot_type !== null || roleSeesEmail(user.email_visibility, viewer.role);
    if (isShown) found.set(emailKey(user.delivery_email), user);
  }
  const ids = [...keys.values()].map((key) => /^user(\d{1,15})@/.exec(key)?.[1]).filter((id) => id !== undefined);
  for (const user of ids.length > 0 ? await tx.users.byIds(ids.map(Number)) : []) {
    // The API documents `user{id}@{host}`, whatever the host. An account may have it as its real address.
    const documented = emailKey(`user${user.id}@${organization.host}`);
    if (!found.has(documented)) found.set(documented, user);
    found.set(emailKey(placeholderEmail(user.id, organization)), user);
  }
  const answer = new Map<string, User>();
  for (const [address, key] of keys) {
    const user = found.get(key);
    if (user) answer.set(address, user);
  }
  return answer;
}

export const administratorIds = ({ tx }: Pick<ReadContext, 'tx'>) => tx.users.activeIds([OWNER, ADMINISTRATOR]);

/** IDs of deactivated accounts, which permission values and subscriber lists do not show. */
export const inactiveUserIds = async ({ tx }: Pick<ReadContext, 'tx'>) => new Set(await tx.users.inactiveIds());
