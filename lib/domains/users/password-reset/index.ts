import { defineFeature } from '../../../operation/feature.ts';
import { checkPasswordReset } from './check-reset.ts';
import { createResetLink } from './create-reset-link.ts';
import { requestPasswordReset } from './request-reset.ts';
import { resetPassword } from './reset.ts';
import { sendFirstLinkEmail, sendResetEmail } from './reset-link.ts';

/**
 * Resets forgotten passwords by a link that is sent by e-mail or created by an administrator. A link works once, for
 * 24 hours, and only while the account keeps the password and address that it had when the link was created.
 */
export const passwordReset = defineFeature({
  operations: [createResetLink, requestPasswordReset, checkPasswordReset, resetPassword],
  outbox: [sendResetEmail, sendFirstLinkEmail],
});
