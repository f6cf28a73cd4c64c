import { accessUser } from '../../../access/users.ts';
import { BadRequest } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { emitReadAfterMuting } from '../../messages/flags/deferred-read-events.ts';
import { mutedUsersChanged } from './events.ts';

/** Every client loads the whole list at start. */
const MAX_MUTED_USERS = 1_000;

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
    const { tx, actor, now, emit } = context;
    if (muted_user_id === actor.id) throw new BadRequest('You cannot mute yourself.');
    const user = await accessUser(context, actor, muted_user_id);
    if ((await tx.mutedUsers.of(actor.id)).length >= MAX_MUTED_USERS) {
      throw new BadRequest(`You can mute at most ${MAX_MUTED_USERS} users.`);
    }
    const since = await tx.mutedUsers.mutedUntil(actor.id, user.id);
    if (!(await tx.mutedUsers.add(actor.id, { id: user.id, timestamp: Math.floor(now / 1000) }))) {
      throw new BadRequest('You have already muted this user.');
    }
    emit({ users: [actor.id] }, mutedUsersChanged({}));
    await emitReadAfterMuting(context, actor.id, user.id, since);
  },
});
