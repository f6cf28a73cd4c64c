import * as v from 'valibot';
import { accessUser } from '../../../access/users.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { empty, id } from '../../../kernel/schemas.ts';
import { emitMutedUsers } from './events.ts';

export const removeMutedUser = defineOperation({
  name: 'mutedUsers.remove',
  http: 'DELETE /users/me/muted_users/{muted_user_id}',
  summary: 'Mute somebody no more',
  description: 'What they wrote meanwhile stays read.',
  example: { muted_user_id: 9 },
  access: 'user',
  effect: 'write',
  params: v.object({ muted_user_id: id }),
  result: empty,
  errors: [BadRequest],
  async run(context, { muted_user_id }) {
    const { tx, actor } = context;
    // Before they are looked for: whoever was muted may have gone out of sight since.
    if (!(await tx.mutedUsers.remove(actor.id, muted_user_id))) {
      await accessUser(context, actor, muted_user_id);
      throw new BadRequest('You have not muted this user.');
    }
    emitMutedUsers(context);
    return {};
  },
});
