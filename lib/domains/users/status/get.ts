import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isBot } from '../../../rules/roles.ts';
import { statusObject, statusView } from '../../../views/user-view.ts';

export const getStatus = defineOperation({
  name: 'userStatus.get',
  http: 'GET /users/{user_id}/status',
  summary: 'Get the status of a user',
  example: { user_id: 9 },
  access: 'user',
  params: { user_id: id },
  result: v.object({ status: statusObject }),
  async run(context, { user_id }) {
    const user = await context.viewer.account(user_id);
    if (isBot(user)) throw new BadRequest('Bots have no status.');
    const [status] = await context.tx.userStatuses.of([user.id]);
    return { status: statusView(user, status) ?? {} };
  },
});
