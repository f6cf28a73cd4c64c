import { FieldLocked, UnauthorizedPrincipal } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { changeUser, userChangeParams } from '../user-change.ts';

export const editUser = defineOperation({
  name: 'users.edit',
  http: 'PATCH /users/{user_id}',
  summary: 'Edit an account: name, role, e-mail address, profile data',
  description: 'For administrators and the owner of a bot. All given changes are applied, or none.',
  example: { user_id: 9, role: 300 },
  access: 'user',
  effect: 'write',
  audited: true,
  mayNeedCode: true,
  scope: { loginFor: ['role', 'new_email'] },
  params: { user_id: id, ...userChangeParams },
  errors: [FieldLocked, UnauthorizedPrincipal],
  async run(context, { user_id, code: _, ...wanted }) {
    const user = await context.viewer.administeredAccount(user_id);
    await changeUser(context, user, wanted);
  },
});
