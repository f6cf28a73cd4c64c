import { PasswordTooWeak } from '../../../base/errors.ts';
import { falseByDefault, id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkPassword } from '../../../rules/passwords.ts';
import { confirmationCode } from '../../../viewer/confirmation.ts';
import { signOutPhones } from '../../push/sign-out-phones.ts';
import { accessPersonToAdmit, enqueuePasswordChanged, hashPassword, newPasswordParam } from '../passwords.ts';

export const setPassword = defineOperation({
  name: 'users.setPassword',
  http: 'POST /users/{user_id}/password',
  summary: 'Set the password of another user',
  description:
    'Administrators only; owners only, if the user is an owner. Replaces the API key, which signs out all clients, unless `keep_api_key` is set. Notifies the user by e-mail and resets the count of wrong passwords.',
  example: { user_id: 9, password: 'correct horse battery staple' },
  access: 'administrator',
  scope: 'login',
  effect: 'manual',
  mayNeedCode: true,
  params: {
    user_id: id,
    password: newPasswordParam,
    keep_api_key: falseByDefault('Keep the API key, so that clients stay signed in.'),
    code: confirmationCode,
  },
  errors: [PasswordTooWeak],
  async run({ transact, isDryRun }, { user_id, password, keep_api_key }) {
    await transact('read', async (context) => {
      const { delivery_email: email, full_name } = await accessPersonToAdmit(context, user_id);
      checkPassword(password, { email, full_name });
    });
    const password_hash = await hashPassword(password, { isDryRun });
    await transact('write', async (context) => {
      const { tx, actor } = context;
      const user = await accessPersonToAdmit(context, user_id);
      await tx.users.update(user_id, {
        password_hash,
        key_generation: user.key_generation + (keep_api_key ? 0 : 1),
        sign_in_unlocks: user.sign_in_unlocks + 1,
      });
      if (!keep_api_key) await signOutPhones(context, user_id);
      const who = actor.id === user_id ? 'Your own account' : actor.full_name;
      enqueuePasswordChanged(context, user, `${who} set it.`);
    });
  },
});
