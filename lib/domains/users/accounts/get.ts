import * as v from 'valibot';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { externalIdEntries, externalIdParams } from '../../../views/external-ids.ts';
import { userObject, userView, userViewParams } from '../../../views/user-view.ts';
import { emailPauseEntries, emailPauseFor } from './email-pause.ts';

export const getUser = defineOperation({
  name: 'users.get',
  http: 'GET /users/{user_id}',
  summary: 'Get an account by its ID',
  example: { user_id: 9 },
  access: 'user',
  forRooms: true,
  params: { user_id: id, ...userViewParams, ...externalIdParams },
  result: v.object({ user: v.object({ ...userObject.entries, ...externalIdEntries, ...emailPauseEntries }) }),
  async run(context, { user_id, ...options }) {
    const user = await context.viewer.account(user_id);
    return { user: { ...userView(context, user, options), ...(await emailPauseFor(context, user)) } };
  },
});
