import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, id } from '../../../kernel/schemas.ts';
import { accessPersonToSignIn } from '../administered-person.ts';
import { mayResetPassword, newResetToken, RESET_LINK_HOURS, resetLink, storeResetToken } from './reset-token.ts';

export const createResetLink = defineOperation({
  name: 'users.createResetLink',
  http: 'POST /users/{user_id}/reset_link',
  summary: 'Make a link by which somebody sets another password, to hand it to them',
  description: `For administrators; of owners for owners. It works once, within ${RESET_LINK_HOURS} hours. Who has the link acts as this person.`,
  example: { user_id: 9 },
  access: 'administrator',
  effect: 'write',
  params: v.object({ user_id: id }),
  result: v.object({ reset_link: describe(v.string(), 'Address of the page.') }),
  errors: [BadRequest, UnauthorizedPrincipal],
  async run(context, { user_id }) {
    const { tx, actor, organization, services, now } = context;
    const user = await accessPersonToSignIn(context, actor, user_id);
    if (!user.is_active)
      throw new BadRequest('This account is deactivated: no link is made for it. Reactivate it first.');
    if (!mayResetPassword(user, organization))
      throw new BadRequest('This organization does not sign in with passwords.');
    const token = newResetToken();
    await storeResetToken(tx, user, { token, now, is_mailed: false });
    return { reset_link: resetLink(services.options.baseUrl, token) };
  },
});
