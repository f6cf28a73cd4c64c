import { BadRequest } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { mute } from './mute.ts';

export const addMutedUser = defineOperation({
  name: 'mutedUsers.add',
  http: 'POST /users/me/muted_users/{muted_user_id}',
  summary: 'Mute a user: their messages arrive as read',
  description: 'Also marks their existing messages as read. The muted user is not notified.',
  example: { muted_user_id: 9 },
  access: 'user',
  effect: 'write',
  params: { muted_user_id: id },
  async run(context, { muted_user_id }) {
    const { actor } = context;
    if (muted_user_id === actor.id) throw new BadRequest('You cannot mute yourself.');
    const user = await context.viewer.account(muted_user_id);
    if (!(await mute(context, user, { is_blocked: false }))) throw new BadRequest('You have already muted this user.');
  },
});
