import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { empty, id } from '../../../kernel/schemas.ts';
import { accessPersonToSignIn } from '../administered-person.ts';

export const unlockUser = defineOperation({
  name: 'users.unlock',
  http: 'POST /users/{user_id}/unlock',
  summary: 'Let somebody sign in again who gave too many wrong passwords',
  description: 'For administrators; of owners for owners. Every server counts wrong passwords afresh from now on.',
  example: { user_id: 9 },
  access: 'administrator',
  effect: 'write',
  params: v.object({ user_id: id }),
  result: empty,
  errors: [BadRequest, UnauthorizedPrincipal],
  async run(context, { user_id }) {
    const user = await accessPersonToSignIn(context, context.actor, user_id);
    await context.tx.users.update(user_id, { sign_in_unlocks: user.sign_in_unlocks + 1 });
    return {};
  },
});
