import { PasswordTooWeak } from '../../../base/errors.ts';
import { describe, falseByDefault, nonEmptyText } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkPassword } from '../../../rules/passwords.ts';
import { signOutPhones } from '../../push/sign-out-phones.ts';
import { enqueuePasswordChanged, hashPassword, newPasswordParam, signedIn, signInResult } from '../passwords.ts';
import { accessResettable, MAX_TOKEN_LENGTH } from './reset-link.ts';

export const resetPassword = defineOperation({
  name: 'passwords.reset',
  http: 'POST /password_reset/confirm',
  summary: 'Set a new password with a reset link, and sign in',
  description:
    'All reset links of the account stop working. Replaces the API key, which signs out all clients, unless `keep_api_key` is set. Resets the count of wrong passwords.',
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
  async run({ transact }, { token, new_password, keep_api_key }) {
    await transact('read', async (context) => {
      const { delivery_email: email, full_name } = await accessResettable(context, token);
      checkPassword(new_password, { email, full_name });
    });
    const password_hash = await hashPassword(new_password);
    return transact('write', async (context) => {
      const { tx, organization } = context;
      const before = await accessResettable(context, token);
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
