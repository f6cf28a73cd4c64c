import * as v from 'valibot';
import type { AccountContext } from '../../kernel/context.ts';
import { BadRequest } from '../../kernel/errors.ts';
import { choice, describe, text } from '../../kernel/schemas.ts';
import { fold } from '../../rules/fold.ts';
import { isOwner, ROLES } from '../../rules/roles.ts';
import type { Role, User } from '../../storage/interface/users.ts';
import { emitAccountUpdated } from './accounts/events.ts';
import { changeAddress } from './address-change.ts';
import { emitBotsUpdated } from './bots/events.ts';
import { addressProblem, type IsDisposable } from './invitations/addresses.ts';
import { checkNameIsFree, fullName } from './names.ts';
import {
  applyProfileData,
  type GivenProfileData,
  type ProfileChange,
  planProfileData,
  profileDataParam,
} from './profile-data.ts';
import { changeRole, checkRoleChange } from './role-change.ts';

/** Parameters of `users.edit` and `users.editByEmail`. */
export const userChangeParams = {
  full_name: v.optional(describe(text(), 'Display name, 2 to 100 characters. A blank name changes nothing.')),
  role: v.optional(
    describe(choice(ROLES), 'Only owners can grant or revoke the owner role. Guests cannot become administrators.'),
  ),
  profile_data: v.optional(profileDataParam),
  new_email: v.optional(
    describe(text(), 'New real e-mail address. Only for owners with the permission can_change_user_emails.'),
  ),
};

interface WantedUserChange {
  full_name?: string | undefined;
  role?: Role | undefined;
  profile_data?: GivenProfileData | undefined;
  new_email?: string | undefined;
}

/** The validated values that change. Nothing is written yet. */
interface UserChange {
  role?: Role;
  full_name?: string;
  profile?: ProfileChange;
  new_email?: string;
}

/**
 * Checks the given values, in this order: role, name, profile, address.
 * @param isDisposable needed only with `new_email`
 */
export async function planUserChange(
  context: AccountContext,
  user: User,
  wanted: WantedUserChange,
  isDisposable: IsDisposable = () => false,
): Promise<UserChange> {
  const change: UserChange = {};
  if (wanted.role !== undefined && wanted.role !== user.role) {
    await checkRoleChange(context, user, wanted.role);
    change.role = wanted.role;
  }
  if (wanted.full_name !== undefined && wanted.full_name.trim() !== '') {
    const name = fullName(wanted.full_name);
    if (name !== user.full_name) {
      await checkNameIsFree(context, name, user.id);
      change.full_name = name;
    }
  }
  if (wanted.profile_data !== undefined) change.profile = await planProfileData(context, user, wanted.profile_data);
  if (wanted.new_email !== undefined) {
    const email = await newAddress(context, user, wanted.new_email, isDisposable);
    if (email !== user.delivery_email) change.new_email = email;
  }
  return change;
}

async function newAddress(
  { tx, actor, organization }: AccountContext,
  user: User,
  given: string,
  isDisposable: IsDisposable,
): Promise<string> {
  if (!isOwner(actor) || !actor.can_change_user_emails) {
    throw new BadRequest('Only owners with the permission can_change_user_emails can change e-mail addresses.');
  }
  const email = given.trim();
  // An address from before a restriction may change its case.
  if (fold(email) !== fold(user.delivery_email)) {
    const problem = addressProblem(organization, email, isDisposable);
    if (problem !== undefined) throw new BadRequest(`No account can have the address "${email}". ${problem}`);
  }
  const holder = await tx.users.byEmail(email);
  if (holder && holder.id !== user.id)
    throw new BadRequest(`The address "${email}" is already in use by another account.`);
  return email;
}

/** Writes the changes and sends the events. */
export async function applyUserChange(context: AccountContext, user: User, change: UserChange): Promise<void> {
  const { role, full_name, profile, new_email } = change;
  if (role !== undefined) await changeRole(context, user, role);
  const account = role === undefined ? user : { ...user, role };
  if (full_name !== undefined) {
    await context.tx.users.update(user.id, { full_name });
    await emitAccountUpdated(context, account, { full_name });
    await emitBotsUpdated(context, [account], { full_name });
  }
  if (profile) await applyProfileData(context, account, profile);
  if (new_email !== undefined) await changeAddress(context, account, { delivery_email: new_email });
}
