import * as v from 'valibot';
import { accessUser } from '../../../access/users.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { empty, id } from '../../../kernel/schemas.ts';
import { tellOfMuting } from '../../messages/flags/told-later.ts';
import { withdrawRead } from '../../push/notifications/withdrawal.ts';
import { emitMutedUsers } from './events.ts';

/** Every client has all of them from the start. */
const MAX_MUTED_USERS = 1_000;

export const addMutedUser = defineOperation({
  name: 'mutedUsers.add',
  http: 'POST /users/me/muted_users/{muted_user_id}',
  summary: 'Mute somebody: what they write counts as read',
  description: 'What they have written already is marked as read. They do not learn of it.',
  example: { muted_user_id: 9 },
  access: 'user',
  effect: 'write',
  params: v.object({ muted_user_id: id }),
  result: empty,
  errors: [BadRequest],
  async run(context, { muted_user_id }) {
    const { tx, actor, now } = context;
    if (muted_user_id === actor.id) throw new BadRequest('You cannot mute yourself.');
    const user = await accessUser(context, actor, muted_user_id);
    if ((await tx.mutedUsers.of(actor.id)).length >= MAX_MUTED_USERS) {
      throw new BadRequest(`At most ${MAX_MUTED_USERS} people can be muted.`);
    }
    const since = await tx.mutedUsers.mutedUntil(actor.id, user.id);
    if (!(await tx.mutedUsers.add(actor.id, { id: user.id, timestamp: Math.floor(now / 1000) }))) {
      throw new BadRequest('You have muted this user already.');
    }
    emitMutedUsers(context);
    await withdrawRead(context, actor.id, await tellOfMuting(context, actor.id, user.id, since));
    return {};
  },
});
