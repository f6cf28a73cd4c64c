import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { accessPersonToSignIn } from '../passwords.ts';

export const unlockUser = defineOperation({
  name: 'users.unlock',
  http: 'POST /users/{user_id}/unlock',
  summary: 'Unlock an account after too many wrong passwords',
  description: 'Owners only, if the user is an owner. Resets the counts of wrong passwords and codes on all servers.',
  example: { user_id: 9 },
  access: 'administrator',
  scope: 'login',
  effect: 'write',
  params: { user_id: id },
  async run(context, { user_id }) {
    const user = await accessPersonToSignIn(context, user_id);
    const { tx } = context;
    const factor = await tx.secondFactors.of(user_id);
    if (factor) await tx.secondFactors.put({ ...factor, wrong_codes: 0 });
    await tx.users.update(user_id, { sign_in_unlocks: user.sign_in_unlocks + 1 });
  },
});
