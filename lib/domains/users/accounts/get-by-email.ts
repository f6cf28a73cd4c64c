import * as v from 'valibot';
import { defineOperation } from '../../../operation/operation.ts';
import { externalIdEntries, externalIdParams } from '../../../views/external-ids.ts';
import { apiAddress, userObject, userView, userViewParams } from '../../../views/user-view.ts';
import { emailPauseEntries, emailPauseFor } from './email-pause.ts';

export const getUserByEmail = defineOperation({
  name: 'users.getByEmail',
  http: 'GET /users/{email}',
  summary: 'Get an account by its e-mail address',
  description: '`email` is the real address if you may see it, or the placeholder address.',
  example: { email: 'ada@example.com' },
  access: 'user',
  forRooms: true,
  params: { email: apiAddress, ...userViewParams, ...externalIdParams },
  result: v.object({ user: v.object({ ...userObject.entries, ...externalIdEntries, ...emailPauseEntries }) }),
  async run(context, { email, ...options }) {
    const user = await context.viewer.accountByAddress(email);
    return { user: { ...userView(context, user, options), ...(await emailPauseFor(context, user)) } };
  },
});
