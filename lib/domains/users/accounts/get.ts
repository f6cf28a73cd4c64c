import * as v from 'valibot';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { externalIdEntries, externalIdParams } from '../../../views/external-ids.ts';
import { userObject, userView, userViewParams } from '../../../views/user-view.ts';
import { emailPauseEntries, emailPauseFor } from './email-pause.ts';
import { secondFactorEntries, secondFactorParams, secondFactorsFor } from './second-factors.ts';

export const getUser = defineOperation({
  name: 'users.get',
  http: 'GET /users/{user_id}',
  summary: 'Get an account by its ID',
  example: { user_id: 9 },
  access: 'user',
  forRooms: true,
  params: { user_id: id, ...userViewParams, ...externalIdParams, ...secondFactorParams },
  result: v.object({
    user: v.object({ ...userObject.entries, ...externalIdEntries, ...emailPauseEntries, ...secondFactorEntries }),
  }),
  async run(context, { user_id, include_second_factor, ...options }) {
    const user = await context.viewer.account(user_id);
    const secondFactor = include_second_factor ? await secondFactorsFor(context, [user]) : undefined;
    const pause = await emailPauseFor(context, user);
    return { user: { ...userView(context, user, options), ...pause, ...secondFactor?.(user) } };
  },
});
