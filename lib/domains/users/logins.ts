import type { User } from '../../model/users.ts';
import { isBot } from '../../rules/roles.ts';
import type { WriteContext } from '../../viewer/context.ts';
import { signOutPhones } from '../push/sign-out-phones.ts';
import { FIRST_LINK_MS, sendFirstLinkEmail } from './password-reset/reset-link.ts';

/** Ends the API key, and with it all tokens, and all logins of the login page. */
export const withoutLogins = ({ key_generation, login_generation }: User) => ({
  key_generation: key_generation + 1,
  login_generation: login_generation + 1,
  ended_logins: null,
});

/**
 * Signs out all browsers, apps and phones of an account. The password stays. A pending change of the address ends: a thief
 * of the API key may have requested it.
 */
export async function endLoginsOf(context: WriteContext, user: User): Promise<User> {
  const after = await context.tx.users.update(user.id, withoutLogins(user));
  await context.tx.passwordResets.endChanges(user.id);
  await signOutPhones(context, user.id);
  return after;
}

/**
 * Ends all that opens an account, for a role that needs a second factor. A stolen API key of an administrator can set the
 * password of a member, and wait until the member is raised. The second factor stays. The person gets a link to choose a
 * new password.
 */
export async function endAccessOf(context: WriteContext, user: User): Promise<void> {
  const { tx, services, enqueue, now } = context;
  await endLoginsOf(context, user);
  const links = await tx.passwordResets.mailedSince(user.id, now - FIRST_LINK_MS, { changes: false });
  const needsLink = user.password_hash !== null || links.length > 0;
  await tx.passwordResets.removeOf(user.id);
  if (user.password_hash !== null) await tx.users.update(user.id, { password_hash: null });
  // Also for a person who needs no link: a dry run lists the e-mail, and would reveal who has a password.
  if (services.options.mail && !isBot(user))
    enqueue(sendFirstLinkEmail({ user_id: user.id, hasNewRole: true, needsLink }));
}
