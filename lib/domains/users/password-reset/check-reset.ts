import * as v from 'valibot';
import { describe, nonEmptyText } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { loginNeeds } from '../second-factor/factor.ts';
import { accessResettable, MAX_TOKEN_LENGTH } from './reset-link.ts';

/** POST although it changes nothing: URLs end up in logs, and the token allows its holder to set the password. */
export const checkPasswordReset = defineOperation({
  name: 'passwords.checkReset',
  http: 'POST /password_reset/check',
  summary: 'Show the account of a password reset link, without using the link',
  example: { token: 'b2Zmc3ByaW5nLXNwcmluZy1zdHJpbmc' },
  access: 'anyone',
  effect: 'read',
  params: { token: describe(nonEmptyText(MAX_TOKEN_LENGTH), 'The last part of the link.') },
  result: v.object({
    email: v.string(),
    full_name: v.string(),
    realm_name: v.string(),
    needs_code: describe(v.boolean(), 'Whether the account has a second factor: `passwords.reset` needs a code.'),
  }),
  async run(context, { token }) {
    const { user } = await accessResettable(context, token);
    const { delivery_email: email, full_name } = user;
    const needs_code = (await loginNeeds(context, user)) === 'code';
    return { email, full_name, realm_name: context.organization.name, needs_code };
  },
});
