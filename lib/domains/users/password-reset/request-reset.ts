import * as v from 'valibot';
import { BadRequest, PasswordAuthDisabled } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, empty, text } from '../../../kernel/schemas.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isEmailAddress } from '../names.ts';
import { sendResetEmail } from './reset-email.ts';
import { RESET_LINK_HOURS } from './reset-token.ts';

export const requestPasswordReset = defineOperation({
  name: 'passwords.requestReset',
  http: 'POST /password_reset',
  summary: 'Have a link sent by which you set another password',
  description: `For whoever cannot sign in. The answer is the same whether or not there is an account with the address. The link works once, within ${RESET_LINK_HOURS} hours; an address gets two in an hour at most, and five in a day.`,
  example: { email: 'ada@example.com' },
  access: 'anyone',
  effect: 'append',
  limitedBy: { rule: 'email' },
  params: v.object({ email: describe(text(1_000), 'The address of the account.') }),
  result: empty,
  errors: [BadRequest, PasswordAuthDisabled],
  async run({ organization, services, enqueue }, given) {
    if (!organizationSetting(organization, 'password_login')) throw new PasswordAuthDisabled();
    const email = given.email.trim();
    if (!isEmailAddress(email)) throw new BadRequest(`"${given.email}" is not an e-mail address.`);
    if (!services.options.mail) {
      throw new BadRequest('No e-mail is sent from here. An administrator can make a link that sets another password.');
    }
    enqueue(sendResetEmail({ email }));
    return {};
  },
});
