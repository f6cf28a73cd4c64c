import { FieldLocked, UnauthorizedPrincipal } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import { confirmationCode } from '../../../viewer/confirmation.ts';
import { checkMayChangeOwner, reactivate } from '../activation.ts';
import { checkMayCreate } from '../bots/bot.ts';

export const reactivateUser = defineOperation({
  name: 'users.reactivate',
  http: 'POST /users/{user_id}/reactivate',
  summary: 'Reactivate an account',
  description:
    'For administrators. Also for the owner of a bot who may create bots of its type. The account keeps its role, subscriptions and permissions.',
  example: { user_id: 9 },
  access: 'user',
  scope: 'login',
  effect: 'write',
  audited: true,
  mayNeedCode: true,
  params: { user_id: id, code: confirmationCode },
  errors: [FieldLocked, UnauthorizedPrincipal],
  async run(context, { user_id }) {
    const { actor } = context;
    const user = await context.viewer.administeredAccount(user_id);
    if (user.bot_owner_id !== actor.id) checkMayChangeOwner(actor, user);
    if (user.bot_type !== null && !isAdministrator(actor)) await checkMayCreate(context, user.bot_type);
    await reactivate(context, user);
  },
});
