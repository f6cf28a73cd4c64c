import { PasswordTooWeak } from '../../../base/errors.ts';
import { describe, falseByDefault, nonEmptyText } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkPassword } from '../../../rules/passwords.ts';
import { signOutPhones } from '../../push/sign-out-phones.ts';
import { endEarlierAccess } from '../adoption.ts';
import { enqueuePasswordChanged, hashPassword, newPasswordParam, signedIn, signInResult } from '../passwords.ts';
import { accessResettable, MAX_TOKEN_LENGTH } from './reset-link.ts';

export const resetPassword = defineOperation({
  name: 'passwords.reset',
  http: 'POST /password_reset/confirm',
  summary: 'Set a new password with a reset link, and sign in',
  description:
    'All reset links of the account stop working. Without `keep_api_key`, replaces the API key, which signs out all clients. Resets the count of wrong passwords. A mailed link verifies the address. If it was not verified before, this ends everything that the earlier user of the account holds (`users.ensure` with `reset`).',
  example: { token: 'b2Zmc3ByaW5nLXNwcmluZy1zdHJpbmc', new_password: 'correct horse battery staple' },
  access: 'anyone',
  effect: 'manual',
  audited: true,
  params: {
    token: describe(nonEmptyText(MAX_TOKEN_LENGTH), 'The last part of the link.'),
    new_password: newPasswordParam,
    keep_api_key: falseByDefault('Keep the API key, so that clients stay signed in.'),
  },
  result: signInResult,
  errors: [PasswordTooWeak],
  async run({ transact, isDryRun }, { token, new_password, keep_api_key }) {
    await transact('read', async (context) => {
      const { user } = await accessResettable(context, token);
      const { delivery_email: email, full_name } = user;
      checkPassword(new_password, { email, full_name });
    });
    const password_hash = await hashPassword(new_password, { isDryRun });
    return transact('write', async (context) => {
      const { tx, organization } = context;
      const { user: found, isMailed } = await accessResettable(context, token);
      // The mailbox proves the address, but not that its owner is the earlier user of the account.
      const before = isMailed && !found.is_email_verified ? await endEarlierAccess(context, found) : found;
      const user = await tx.users.update(before.id, {
        password_hash,
        key_generation: before.key_generation + (keep_api_key ? 0 : 1),
        sign_in_unlocks: before.sign_in_unlocks + 1,
      });
      await tx.passwordResets.removeOf(user.id);
      if (!keep_api_key) await signOutPhones(context, user.id);
      const how = 'A password reset link was used. It was sent to this address or created by an administrator.';
      enqueuePasswordChanged(context, user, how);
      return signedIn(organization, user);
    });
  },
});
