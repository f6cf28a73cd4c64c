import * as v from 'valibot';
import { apiAddress, userObject, userView, userViewParams } from '../../../access/user-view.ts';
import { accessUserByAddress } from '../../../access/users.ts';
import { defineOperation } from '../../../operation/operation.ts';

export const getUserByEmail = defineOperation({
  name: 'users.getByEmail',
  http: 'GET /users/{email}',
  summary: 'Get an account by its e-mail address',
  description: '`email` is the real address if you may see it, or the placeholder address.',
  example: { email: 'ada@example.com' },
  access: 'user',
  params: { email: apiAddress, ...userViewParams },
  result: v.object({ user: userObject }),
  async run(context, { email, ...options }) {
    const user = await accessUserByAddress(context, context.actor, email);
    return { user: userView(user, context.actor, context.organization, options) };
  },
});
