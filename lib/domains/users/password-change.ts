import { sendEmail } from '../../background/send-email.ts';
import type { TransactionContext } from '../../kernel/context.ts';
import type { User } from '../../storage/interface/users.ts';

/** Tells somebody by e-mail that their account has another password. @param how who did it, as a sentence */
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
    `your account on ${baseUrl} has another password now. ${how}`,
    'If this was not what you wanted, talk to an administrator.',
  ];
  const subject = `Your password for ${organization.name} was changed`;
  enqueue(sendEmail({ to: user.delivery_email, subject, text: lines.join('\n') }));
}
