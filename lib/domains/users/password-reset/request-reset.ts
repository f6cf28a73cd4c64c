import { BadRequest, PasswordAuthDisabled } from '../../../base/errors.ts';
import { describe, nonEmptyText } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { emailAddress } from '../names.ts';
import { RESET_LINK_HOURS, sendResetEmail } from './reset-link.ts';

export const requestPasswordReset = defineOperation({
  name: 'passwords.requestReset',
  http: 'POST /password_reset',
  summary: 'Request a password reset link by e-mail',
  description: `No login needed. The response is the same whether or not the address has an account. The link works once, within ${RESET_LINK_HOURS} hours. At most 2 e-mails per address and hour, 5 per day.`,
  example: { email: 'ada@example.com' },
  access: 'anyone',
  effect: 'append',
  limitedBy: { rule: 'email' },
  params: { email: describe(nonEmptyText(1_000), 'E-mail address of the account.') },
  errors: [PasswordAuthDisabled],
  async run({ organization, services, enqueue }, { email }) {
    if (!organizationSetting(organization, 'password_login')) throw new PasswordAuthDisabled();
    const address = emailAddress(email);
    if (!services.options.mail) {
      throw new BadRequest('This server sends no e-mail. Ask an administrator for a password reset link.');
    }
    enqueue(sendResetEmail({ email: address }));
  },
});
