import { accessAdministeredUser } from '../../../access/users.ts';
import { FieldLocked } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkMayChangeOwner, reactivate } from '../activation.ts';

export const reactivateUser = defineOperation({
  name: 'users.reactivate',
  http: 'POST /users/{user_id}/reactivate',
  summary: 'Reactivate an account',
  description: 'The account keeps its role, subscriptions and permissions.',
  example: { user_id: 9 },
  access: 'administrator',
  scope: 'login',
  effect: 'write',
  params: { user_id: id },
  errors: [FieldLocked],
  async run(context, { user_id }) {
    const user = await accessAdministeredUser(context, context.actor, user_id);
    checkMayChangeOwner(context.actor, user);
    await reactivate(context, user);
  },
});
