import * as v from 'valibot';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';

export const listBlockedUsers = defineOperation({
  name: 'users.listBlocked',
  http: 'GET /users/me/blocked_users',
  summary: 'List the users that you block',
  access: 'user',
  result: v.object({
    blocked_users: describe(
      v.array(
        v.object({
          id: describe(v.number(), 'ID of the blocked user.'),
          timestamp: describe(v.number(), 'When you blocked the user; UNIX seconds.'),
        }),
      ),
      'Ordered by ID.',
    ),
  }),
  async run({ tx, actor }) {
    const blocked = (await tx.mutedUsers.of(actor.id)).filter(({ is_blocked }) => is_blocked);
    return { blocked_users: blocked.map(({ id, timestamp }) => ({ id, timestamp })) };
  },
});
