import type { AccountContext, ManualContext, TransactionContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { checkPassword } from '../../../rules/passwords.ts';
import { enqueuePasswordChanged } from '../password-change.ts';
import { hashPassword, passwordMatches, WrongPassword } from '../passwords.ts';

/** Another password of one's own, checked; nothing has been written. */
export interface OwnPassword {
  password_hash: string;
  /** What it takes the place of. */
  former_hash: string | null;
}

/**
 * Checks a new password of the caller's own, and the present one where there is one. Both take the time of a hash,
 * for which no transaction waits. An empty one is none: clients send all fields of their form.
 * @throws WrongPassword, PasswordTooWeak, BadRequest
 */
export async function planOwnPassword(
  { actor, organization, isTrial }: Pick<ManualContext<'human'>, 'actor' | 'organization' | 'isTrial'>,
  { old_password = '', new_password = '' }: { old_password?: string | undefined; new_password?: string | undefined },
): Promise<OwnPassword | undefined> {
  if (new_password === '') return undefined;
  // Trials are not counted: they would tell of any number of passwords whether they are right.
  if (isTrial) throw new BadRequest('Another password is not tried; set it, or leave it.');
  if (!organizationSetting(organization, 'password_login'))
    throw new BadRequest('This organization does not sign in with passwords.');
  const { password_hash: former_hash, delivery_email: email, full_name } = actor;
  if (former_hash !== null && !(await passwordMatches(old_password, former_hash))) throw new WrongPassword();
  checkPassword(new_password, { email, full_name });
  return { password_hash: await hashPassword(new_password), former_hash };
}

/** Sets it, unless the password has become another one meanwhile. The API key stays: it is nobody else's. */
export async function applyOwnPassword(
  context: AccountContext & Pick<TransactionContext, 'enqueue'>,
  { password_hash, former_hash }: OwnPassword,
): Promise<void> {
  const { tx, actor } = context;
  if (actor.password_hash !== former_hash) throw new BadRequest('The password was changed meanwhile; try again.');
  await tx.users.update(actor.id, { password_hash, sign_in_unlocks: actor.sign_in_unlocks + 1 });
  enqueuePasswordChanged(context, actor, 'You changed it in your settings.');
}
