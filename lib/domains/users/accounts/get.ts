import * as v from 'valibot';
import { userObject, userView, userViewParams } from '../../../access/user-view.ts';
import { accessUser } from '../../../access/users.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';

export const getUser = defineOperation({
  name: 'users.get',
  http: 'GET /users/{user_id}',
  summary: 'Get an account by its ID',
  example: { user_id: 9 },
  access: 'user',
  params: { user_id: id, ...userViewParams },
  result: v.object({ user: userObject }),
  async run(context, { user_id, ...options }) {
    const user = await accessUser(context, context.actor, user_id);
    return { user: userView(user, context.actor, context.organization, options) };
  },
});
