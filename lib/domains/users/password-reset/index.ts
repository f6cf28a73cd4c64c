import { defineFeature } from '../../../kernel/feature.ts';
import { checkPasswordReset } from './check-reset.ts';
import { createResetLink } from './create-reset-link.ts';
import { requestPasswordReset } from './request-reset.ts';
import { resetPassword } from './reset.ts';
import { sendResetEmail } from './reset-email.ts';

/**
 * A way back for people who forgot their password: a link that sets another one, sent to their address or made by
 * an administrator. It is good once and for a day, and only as long as the account has the password and the address
 * it had when the link was made.
 */
export const passwordReset = defineFeature({
  operations: [createResetLink, requestPasswordReset, checkPasswordReset, resetPassword],
  outbox: [sendResetEmail],
});
