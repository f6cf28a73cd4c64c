import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isOwnAccount } from '../../../rules/roles.ts';
import { confirmationCode } from '../../../viewer/confirmation.ts';
import { accessPersonToAdmit } from '../passwords.ts';

export const unlockUser = defineOperation({
  name: 'users.unlock',
  http: 'POST /users/{user_id}/unlock',
  summary: 'Unlock an account after too many wrong passwords',
  description:
    'Owners only, if the user is an owner. Resets the counts of wrong passwords and codes on all servers. For your own account, it does not reset the count of wrong codes.',
  example: { user_id: 9 },
  access: 'administrator',
  scope: 'login',
  effect: 'write',
  mayNeedCode: true,
  params: { user_id: id, code: confirmationCode },
  async run(context, { user_id }) {
    // A stolen API key of an administrator must not allow any number of guesses.
    const user = await accessPersonToAdmit(context, user_id);
    const { tx, actor, services } = context;
    const factor = await tx.secondFactors.of(user_id);
    if (factor && (!isOwnAccount(actor, user_id) || services.isLocal))
      await tx.secondFactors.put({ ...factor, wrong_codes: 0 });
    await tx.users.update(user_id, { sign_in_unlocks: user.sign_in_unlocks + 1 });
  },
});
