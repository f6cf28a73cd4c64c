import { BadRequest } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isOwnAccount } from '../../../rules/roles.ts';
import { confirmationCode } from '../../../viewer/confirmation.ts';
import { accessPersonToAdmit, enqueueNotice } from '../passwords.ts';

export const resetSecondFactor = defineOperation({
  name: 'users.resetSecondFactor',
  http: 'DELETE /users/{user_id}/second_factor',
  summary: 'Remove the second factor of a user who lost the phone',
  description:
    'Administrators only; owners only, if the user is an owner. Not for your own account, also not with your bot: `secondFactor.remove` asks for a code. Make sure first that the request comes from the user. The next login needs only the password, or a new set-up if the role needs a second factor. Notifies the user by e-mail.',
  example: { user_id: 9 },
  access: 'administrator',
  scope: 'login',
  effect: 'write',
  mayNeedCode: true,
  params: { user_id: id, code: confirmationCode },
  async run(context, { user_id }) {
    const { tx, actor, services } = context;
    // A stolen API key of an administrator must not be enough.
    if (isOwnAccount(actor, user_id) && !services.isLocal)
      throw new BadRequest('Turn off your own second factor with a code, or ask another administrator.');
    const user = await accessPersonToAdmit(context, user_id);
    if (!(await tx.secondFactors.remove(user_id))) throw new BadRequest('This account has no second factor.');
    enqueueNotice(context, user, 'Your second factor was removed', [
      `${actor.full_name} removed the second factor of your account on ${services.options.baseUrl}.`,
      'If you did not ask for this, contact an administrator.',
    ]);
  },
});
