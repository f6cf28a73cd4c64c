import type { User } from '../../model/users.ts';
import type { WriteContext } from '../../viewer/context.ts';
import { signOutPhones } from '../push/sign-out-phones.ts';

/** Ends the API key, and with it all tokens, and all logins of the login page. */
export const withoutLogins = ({ key_generation, login_generation }: User) => ({
  key_generation: key_generation + 1,
  login_generation: login_generation + 1,
  ended_logins: null,
});

/** Signs out all browsers, apps and phones of an account. The password stays. */
export async function endLoginsOf(context: WriteContext, user: User): Promise<User> {
  const after = await context.tx.users.update(user.id, withoutLogins(user));
  await signOutPhones(context, user.id);
  return after;
}
