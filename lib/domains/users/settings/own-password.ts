import type { AccountContext, ManualContext, TransactionContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { checkPassword } from '../../../rules/passwords.ts';
import { enqueuePasswordChanged } from '../password-change.ts';
import { hashPassword, passwordMatches, WrongPassword } from '../passwords.ts';

/** A new password of the caller: validated, but not written. */
export interface OwnPassword {
  password_hash: string;
  /** Hash of the password to replace. */
  former_hash: string | null;
}

/**
 * Checks the new password of the caller and the current password, if any. Both need a slow hash, so this runs outside
 * transactions. An empty string means no change: clients send all fields of their form.
 * @throws WrongPassword, PasswordTooWeak, BadRequest
 */
export async function planOwnPassword(
  { actor, organization, isTrial }: Pick<ManualContext<'human'>, 'actor' | 'organization' | 'isTrial'>,
  { old_password = '', new_password = '' }: { old_password?: string | undefined; new_password?: string | undefined },
): Promise<OwnPassword | undefined> {
  if (new_password === '') return undefined;
  // Dry runs are not rate-limited, so they would allow guessing the current password.
  if (isTrial) throw new BadRequest('new_password cannot be used in a dry run.');
  if (!organizationSetting(organization, 'password_login'))
    throw new BadRequest('Password login is disabled in this organization.');
  const { password_hash: former_hash, delivery_email: email, full_name } = actor;
  if (former_hash !== null && !(await passwordMatches(old_password, former_hash))) throw new WrongPassword();
  checkPassword(new_password, { email, full_name });
  return { password_hash: await hashPassword(new_password), former_hash };
}

/** Stores the new password, unless another request has changed it since. Keeps the API key. */
export async function applyOwnPassword(
  context: AccountContext & Pick<TransactionContext, 'enqueue'>,
  { password_hash, former_hash }: OwnPassword,
): Promise<void> {
  const { tx, actor } = context;
  if (actor.password_hash !== former_hash)
    throw new BadRequest('Another request has just changed the password. Try again.');
  await tx.users.update(actor.id, { password_hash, sign_in_unlocks: actor.sign_in_unlocks + 1 });
  enqueuePasswordChanged(context, actor, 'You changed it in your settings.');
}
