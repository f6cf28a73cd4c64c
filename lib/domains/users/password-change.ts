import { sendEmail } from '../../jobs/send-email.ts';
import type { TransactionContext } from '../../kernel/context.ts';
import type { User } from '../../storage/interface/users.ts';

/** Notifies a user by e-mail that their password was changed. @param how a sentence that says who changed it */
export function enqueuePasswordChanged(
  { organization, services, enqueue }: Pick<TransactionContext, 'organization' | 'services' | 'enqueue'>,
  user: User,
  how: string,
): void {
  const { mail, baseUrl } = services.options;
  if (!mail) return;
  const lines = [
    `Hello ${user.full_name},`,
    '',
    `the password of your account on ${baseUrl} was changed. ${how}`,
    'If you did not want this, contact an administrator.',
  ];
  const subject = `Your password for ${organization.name} was changed`;
  enqueue(sendEmail({ to: user.delivery_email, subject, text: lines.join('\n') }));
}
