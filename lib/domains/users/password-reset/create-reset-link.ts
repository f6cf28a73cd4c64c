import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { id, secret } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { confirmationCode } from '../../../viewer/confirmation.ts';
import { newToken } from '../link-email.ts';
import { accessPersonToAdmit } from '../passwords.ts';
import { mayResetPassword, RESET_LINK_HOURS, resetLink, storeResetToken } from './reset-link.ts';

export const createResetLink = defineOperation({
  name: 'users.createResetLink',
  http: 'POST /users/{user_id}/reset_link',
  summary: 'Create a password reset link to give to a user',
  description: `Administrators only; owners only, if the user is an owner. The link works once, within ${RESET_LINK_HOURS} hours. Anyone with the link can sign in as the user.`,
  example: { user_id: 9 },
  access: 'administrator',
  effect: 'write',
  mayNeedCode: true,
  params: { user_id: id, code: confirmationCode },
  result: v.object({ reset_link: secret(v.string(), 'URL of the page.') }),
  async run(context, { user_id }) {
    const { tx, organization, services, now } = context;
    const user = await accessPersonToAdmit(context, user_id);
    if (!user.is_active) throw new BadRequest('This account is deactivated. Reactivate it first.');
    if (!mayResetPassword(user, organization)) throw new BadRequest('Password login is disabled in this organization.');
    const token = newToken();
    await storeResetToken(tx, user, { token, now, is_mailed: false });
    return { reset_link: resetLink(services.options.baseUrl, token) };
  },
});
