import * as v from 'valibot';
import { accessNamedUsers } from '../../../access/users.ts';
import { BadRequest, EmailAlreadyInUse, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { empty } from '../../../kernel/schemas.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import type { User } from '../../../storage/interface/users.ts';
import { applyUserChange, planUserChange, userChangeParams } from '../user-change.ts';
import { apiAddress } from './user-view-params.ts';

export const editUserByEmail = defineOperation({
  name: 'users.editByEmail',
  http: 'PATCH /users/{email}',
  summary: "Change somebody's name, role or address, found by their address",
  description: 'Administrators only. The real address where you may see it, or the placeholder address.',
  example: { email: 'ben@example.com', role: 300 },
  access: 'user',
  effect: 'write',
  audited: true,
  params: v.object({ email: apiAddress, ...userChangeParams }),
  result: empty,
  errors: [BadRequest, EmailAlreadyInUse, UnauthorizedPrincipal],
  async run(context, { email, ...wanted }) {
    const [user] = (await accessNamedUsers(context, context.actor, [email])) as [User];
    if (!isAdministrator(context.actor)) throw new BadRequest('You are not allowed to administer this user.');
    await applyUserChange(context, user, await planUserChange(context, user, wanted));
    return {};
  },
});
