import { BadRequest } from '../../../base/errors.ts';
import { describe, id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { forbiddenBlocks } from '../../messages/blocking.ts';
import { mute } from '../muted-users/mute.ts';

export const blockUser = defineOperation({
  name: 'users.block',
  http: 'POST /users/me/blocked_users/{user_id}',
  summary: 'Block a user',
  description:
    'The blocked user and their bots cannot send you direct messages, nor start group conversations with you. In your conversation of two, they cannot edit messages or react either. Their messages arrive as read, and clients hide them. They do not notify you, and you do not see them typing. The user gets no notice. You cannot block moderators, administrators, owners and the staff of your rooms. Safe to repeat.',
  example: { user_id: 9 },
  access: 'user',
  effect: 'write',
  ownAccount: true,
  params: { user_id: describe(id, 'ID of the user to block.') },
  async run(context, { user_id }) {
    const { actor } = context;
    if (user_id === actor.id) throw new BadRequest('You cannot block yourself.');
    const user = await context.viewer.account(user_id);
    const forbidden = await forbiddenBlocks(context, [{ user_id: actor.id, blocked_id: user.id }]);
    if (forbidden.length > 0) {
      throw new BadRequest('You cannot block moderators, administrators, owners, and the staff of your rooms.');
    }
    await mute(context, user, { is_blocked: true });
  },
});
