import { describe, id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { mutedUsersChanged } from '../../messages/blocking.ts';

export const unblockUser = defineOperation({
  name: 'users.unblock',
  http: 'DELETE /users/me/blocked_users/{user_id}',
  summary: 'Unblock a user',
  description: 'Also ends the mute. Messages sent while the user was blocked stay read. Safe to repeat.',
  example: { user_id: 9 },
  access: 'user',
  effect: 'write',
  ownAccount: true,
  params: { user_id: describe(id, 'ID of the blocked user.') },
  async run(context, { user_id }) {
    const { tx, actor, emit } = context;
    // Before the access check, because the caller may no longer see the blocked user.
    const [ended] = await tx.mutedUsers.endBlocks([actor.id], [user_id]);
    if (ended === undefined) await context.viewer.account(user_id);
    else emit({ users: [actor.id] }, mutedUsersChanged({}));
  },
});
