import { BadRequest, ChatError, PasswordTooWeak, RateLimitHit, SecondFactorNeeded } from '../../../base/errors.ts';
import { describe, falseByDefault, nonEmptyText } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkPassword } from '../../../rules/passwords.ts';
import { signOutPhones } from '../../push/sign-out-phones.ts';
import { endEarlierAccess } from '../adoption.ts';
import { enqueuePasswordChanged, hashPassword, newPasswordParam, newPasswordResult, signedIn } from '../passwords.ts';
import { codeParam, loginNeeds, useCode } from '../second-factor/factor.ts';
import { accessResettable, MAX_TOKEN_LENGTH } from './reset-link.ts';

export const resetPassword = defineOperation({
  name: 'passwords.reset',
  http: 'POST /password_reset/confirm',
  summary: 'Set a new password with a reset link, and sign in',
  description:
    'All reset links of the account stop working. Without `keep_api_key`, replaces the API key, which signs out all clients. Resets the count of wrong passwords. An account with a second factor also needs `code`. A mailed link verifies the address. If it was not verified before and there was no `code`, this ends everything that the earlier user of the account holds (`users.ensure` with `reset`).',
  example: { token: 'b2Zmc3ByaW5nLXNwcmluZy1zdHJpbmc', new_password: 'correct horse battery staple' },
  access: 'anyone',
  effect: 'manual',
  audited: true,
  params: {
    token: describe(nonEmptyText(MAX_TOKEN_LENGTH), 'The last part of the link.'),
    new_password: newPasswordParam,
    code: codeParam,
    keep_api_key: falseByDefault('Keep the API key, so that clients stay signed in.'),
  },
  result: newPasswordResult,
  errors: [PasswordTooWeak, RateLimitHit, SecondFactorNeeded],
  async run({ transact, isDryRun }, { token, new_password, code, keep_api_key }) {
    await transact('read', async (context) => {
      const { user } = await accessResettable(context, token);
      const { delivery_email: email, full_name } = user;
      checkPassword(new_password, { email, full_name });
      if ((await loginNeeds(context, user)) !== 'code') return;
      if (!code) throw new SecondFactorNeeded('code_missing');
      // It would roll back the count of wrong codes.
      if (isDryRun) throw new BadRequest('A dry run checks no codes. Call it without one.');
    });
    const password_hash = await hashPassword(new_password, { isDryRun });
    const outcome = await transact('write', async (context) => {
      const { tx, organization } = context;
      const { user: found, isMailed } = await accessResettable(context, token);
      const need = await loginNeeds(context, found);
      const refusal = need === 'code' ? await useCode(context, found.id, code) : undefined;
      if (refusal) return refusal;
      // The mailbox proves the address, but not that its owner is the earlier user of the account. A code proves it.
      const isOther = isMailed && !found.is_email_verified && need !== 'code';
      const before = isOther ? await endEarlierAccess(context, found) : found;
      const user = await tx.users.update(before.id, {
        password_hash,
        is_email_verified: before.is_email_verified || isMailed,
        key_generation: before.key_generation + (keep_api_key ? 0 : 1),
        sign_in_unlocks: before.sign_in_unlocks + 1,
      });
      await tx.passwordResets.removeOf(user.id);
      if (!keep_api_key) await signOutPhones(context, user.id);
      const how = 'A password reset link was used. It was sent to this address or created by an administrator.';
      enqueuePasswordChanged(context, user, how);
      const { api_key, ...account } = signedIn(organization, user);
      return need === 'set-up' ? account : { ...account, api_key };
    });
    if (outcome instanceof ChatError) throw outcome;
    return outcome;
  },
});
