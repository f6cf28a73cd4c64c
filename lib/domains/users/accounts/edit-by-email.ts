import { BadRequest, FieldLocked, UnauthorizedPrincipal } from '../../../base/errors.ts';
import { present } from '../../../base/present.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import { apiAddress } from '../../../views/user-view.ts';
import { changeUser, userChangeParams } from '../user-change.ts';

export const editUserByEmail = defineOperation({
  name: 'users.editByEmail',
  http: 'PATCH /users/{email}',
  summary: 'Edit an account, found by its e-mail address',
  description: 'Administrators only. `email` is the real address if you may see it, or the placeholder address.',
  example: { email: 'ben@example.com', role: 300 },
  access: 'user',
  effect: 'write',
  audited: true,
  mayNeedCode: true,
  scope: { loginFor: ['role', 'new_email'] },
  params: { email: apiAddress, ...userChangeParams },
  errors: [FieldLocked, UnauthorizedPrincipal],
  async run(context, { email, code: _, ...wanted }) {
    const user = present((await context.viewer.accounts([email]))[0]);
    if (!isAdministrator(context.actor)) throw new BadRequest('You are not allowed to administer this user.');
    await changeUser(context, user, wanted);
  },
});
