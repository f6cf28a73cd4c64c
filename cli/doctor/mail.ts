import { codeOf, errorOf } from '../../lib/internal.ts';
import { type Problem, type Subject, sentence } from './report.ts';

/** Connects to the mail server and logs in. With `--send-to`, sends an e-mail. */
export async function examineMail({ report, options, settings, mailing }: Subject): Promise<void> {
  if (!mailing) return report.skip('mail', 'The server sends no e-mail: set --smtp and --mail-from.');
  const { smtp } = await import('../../lib/index.ts');
  const mail = smtp(mailing);
  try {
    await report.check('mail', async () => {
      try {
        await mail.check?.();
        if (options.sendTo === undefined) return [];
        const subject = `Test e-mail of ${settings.baseUrl ?? 'a Parlance server'}`;
        const text = 'chatctl doctor sent this e-mail. The mail server has accepted it.';
        await mail.send({ to: options.sendTo, subject, text });
        return [];
      } catch (error) {
        return [mailProblem(error)];
      }
    });
  } finally {
    await mail.close();
  }
}

function mailProblem(error: unknown): Problem {
  const { message, cause } = errorOf(error);
  // nodemailer reports the check of a certificate as an error of the connection.
  const code = /certificate/i.test(message) ? 'ETLS' : (codeOf(error) ?? codeOf(cause) ?? '');
  return {
    says: `The mail server does not work: ${sentence(message)}`,
    advice: ADVICE[code] ?? 'Check --smtp (PARLANCE_SMTP) and --mail-from (PARLANCE_MAIL_FROM).',
  };
}

const ADDRESS = 'Check the host and the port in --smtp (PARLANCE_SMTP), and that the mail server runs.';

const ADVICE: Readonly<Record<string, string>> = {
  EAUTH: 'Correct the user and the password in --smtp (PARLANCE_SMTP).',
  ENOAUTH: 'Correct the user and the password in --smtp (PARLANCE_SMTP).',
  ECONNECTION: ADDRESS,
  ECONNREFUSED: ADDRESS,
  EDNS: ADDRESS,
  ESOCKET: ADDRESS,
  ETIMEDOUT: ADDRESS,
  EENVELOPE: 'Check --mail-from (PARLANCE_MAIL_FROM) and --send-to.',
  ETLS: 'Correct the host name in --smtp (PARLANCE_SMTP), or the certificate of the mail server. Name an authority of your own in NODE_EXTRA_CA_CERTS.',
};
