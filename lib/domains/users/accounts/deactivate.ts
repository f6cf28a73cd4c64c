import { BadRequest, FieldLocked, UnauthorizedPrincipal } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkMayChangeOwner, deactivate } from '../activation.ts';

export const deactivateUser = defineOperation({
  name: 'users.deactivate',
  http: 'DELETE /users/{user_id}',
  summary: 'Deactivate an account and the bots it owns',
  description: 'For administrators. Nothing is deleted: messages, names and subscriptions stay.',
  example: { user_id: 9 },
  // The reference server answers members with BAD_REQUEST, not UNAUTHORIZED_PRINCIPAL.
  access: 'user',
  scope: 'login',
  effect: 'write',
  audited: true,
  params: { user_id: id },
  errors: [FieldLocked, UnauthorizedPrincipal],
  async run(context, { user_id }) {
    const user = await context.viewer.administeredAccount(user_id);
    if (user.bot_type !== null)
      throw new BadRequest(`The user with ID ${user_id} is a bot. Deactivate it with DELETE /bots/${user_id}.`);
    if (!user.is_active) throw new BadRequest('This account is already deactivated.');
    checkMayChangeOwner(context.actor, user);
    await deactivate(context, user);
  },
});
