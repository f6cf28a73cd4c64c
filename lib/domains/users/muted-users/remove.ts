import { BadRequest } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { mutedUsersChanged } from '../../messages/blocking.ts';

export const removeMutedUser = defineOperation({
  name: 'mutedUsers.remove',
  http: 'DELETE /users/me/muted_users/{muted_user_id}',
  summary: 'Unmute a user',
  description: 'Messages sent while the user was muted stay read. Blocked users stay muted: use `users.unblock`.',
  example: { muted_user_id: 9 },
  access: 'user',
  effect: 'write',
  params: { muted_user_id: id },
  async run(context, { muted_user_id }) {
    const { tx, actor, emit } = context;
    if ((await tx.mutedUsers.blocksAmong([actor.id], [muted_user_id])).length > 0)
      throw new BadRequest('You have blocked this user. Unblock them instead.');
    // Before the access check, because the caller may no longer see the muted user.
    if (!(await tx.mutedUsers.remove(actor.id, muted_user_id))) {
      await context.viewer.account(muted_user_id);
      throw new BadRequest('You have not muted this user.');
    }
    emit({ users: [actor.id] }, mutedUsersChanged({}));
  },
});
