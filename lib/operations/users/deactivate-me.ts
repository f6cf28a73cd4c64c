import * as v from 'valibot';
import { BadRequest } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';
import { empty } from '../../params.ts';
import { deactivate } from '../../steps/activation.ts';

export const deactivateMe = defineOperation({
  name: 'users.deactivateMe',
  http: 'DELETE /users/me',
  summary: 'Deactivate your own account',
  description: 'Only an administrator can bring it back.',
  access: 'human',
  effect: 'write',
  params: v.object({}),
  result: empty,
  errors: [BadRequest],
  async run(context) {
    await deactivate(context, context.actor);
    return {};
  },
});
