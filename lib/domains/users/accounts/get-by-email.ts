import * as v from 'valibot';
import { userObject, userView } from '../../../access/user-view.ts';
import { accessUserByAddress } from '../../../access/users.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, text } from '../../../kernel/schemas.ts';
import { userViewParams } from './user-view-params.ts';

/** Code points; an address of the API must fit into one line of a request, however it is escaped. */
const MAX_ADDRESS = 320;

export const getUserByEmail = defineOperation({
  name: 'users.getByEmail',
  http: 'GET /users/{email}',
  summary: 'Get an account by its e-mail address',
  description: 'The real address where you may see it, or the placeholder address.',
  example: { email: 'ada@example.com' },
  access: 'user',
  effect: 'read',
  params: v.object({ email: describe(text(MAX_ADDRESS), 'Real or placeholder address.'), ...userViewParams }),
  result: v.object({ user: userObject }),
  errors: [BadRequest],
  async run(context, { email, ...options }) {
    const user = await accessUserByAddress(context, context.actor, email);
    return { user: userView(user, context.actor, context.organization, options) };
  },
});
