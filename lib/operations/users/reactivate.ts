import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';
import { empty, id } from '../../params.ts';
import { mayActOnOwner, reactivate } from '../../steps/activation.ts';
import { administeredUser } from '../../steps/user-lookup.ts';

export const reactivateUser = defineOperation({
  name: 'users.reactivate',
  http: 'POST /users/{user_id}/reactivate',
  summary: 'Reactivate an account',
  description: 'The account comes back with its role, subscriptions and permissions.',
  source: 'reference 4.3',
  access: 'administrator',
  effect: 'write',
  params: v.object({ user_id: id }),
  result: empty,
  errors: [BadRequest, UnauthorizedPrincipal],
  async run(context, { user_id }) {
    const user = await administeredUser(context, context.actor, user_id);
    mayActOnOwner(context.actor, user);
    await reactivate(context, user);
    return {};
  },
});
