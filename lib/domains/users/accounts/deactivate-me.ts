import { BadRequest, FieldLocked } from '../../../base/errors.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { deactivate } from '../activation.ts';

export const deactivateMe = defineOperation({
  name: 'users.deactivateMe',
  http: 'DELETE /users/me',
  summary: 'Deactivate your own account',
  description: 'Only an administrator can reactivate it.',
  access: 'user',
  scope: 'login',
  ownAccount: true,
  effect: 'write',
  audited: true,
  errors: [BadRequest, FieldLocked],
  async run(context) {
    await deactivate(context, context.actor);
  },
});
