import * as v from 'valibot';
import { BadRequest, FieldLocked } from '../../../base/errors.ts';
import { describe, nonEmptyText } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { MAX_TOKEN_LENGTH } from '../password-reset/reset-link.ts';
import { enqueueNotice } from '../passwords.ts';
import { changeAddress } from '../user-change.ts';
import { accessEmailChange, EMAIL_LINK_HOURS } from './email-change.ts';

export const confirmEmail = defineOperation({
  name: 'settings.confirmEmail',
  http: 'POST /settings/email/confirm',
  summary: 'Confirm a new e-mail address with the link in the e-mail to it',
  description: `No login needed. The link works once, within ${EMAIL_LINK_HOURS} hours. The previous address gets a notice.`,
  example: { token: 'b2Zmc3ByaW5nLXNwcmluZy1zdHJpbmc' },
  access: 'anyone',
  effect: 'write',
  audited: true,
  params: { token: describe(nonEmptyText(MAX_TOKEN_LENGTH), 'The last part of the link.') },
  result: v.object({ email: describe(v.string(), 'The new address of the account.') }),
  errors: [BadRequest, FieldLocked],
  async run(context, { token }) {
    const { user, email } = await accessEmailChange(context, token);
    await context.tx.passwordResets.endChanges(user.id);
    // The owner of the mailbox may have confirmed the request of another person. So a sync must not take this account
    // for theirs.
    await changeAddress(context, user, { delivery_email: email, is_email_verified: false });
    const { organization, services } = context;
    enqueueNotice(context, user, `Your e-mail address for ${organization.name} was changed`, [
      `your account on ${services.options.baseUrl} now has the address ${email}.`,
      'If you did not want this, contact an administrator.',
    ]);
    return { email };
  },
});
