import type { MailResult } from '../../lib/index.ts';
import { existingDatabase, filesFor, openChatAt } from '../database.ts';
import { Failure, UsageError } from '../failure.ts';
import { chooseBaseUrl, type MailFlags, mailSettings } from '../service-settings.ts';
import { commandWithSubcommands, databaseCommand, type LocalCall } from './local-command.ts';

type Flags = MailFlags & { to?: string[]; uploads?: string; baseUrl?: string };

/** Codes of sysexits.h for mail servers. After most other codes, they return the e-mail to its sender. */
const NO_SUCH_ADDRESS = 67;
const TRY_AGAIN = 75;

const receiveCommand = databaseCommand<Flags>('receive', {
  summary: 'Receive an e-mail from stdin',
  description:
    'Receive an e-mail from stdin. Mail servers can call it for each e-mail. A reply to a notification, or mail to a channel, becomes a message.',
  options: [
    [
      '--to <address>',
      'recipient; may be repeated (default: from the headers)',
      (address: string, before: string[] = []) => [...before, address],
    ],
    ['--mail-replies <domain>', 'domain of the addresses (PARLANCE_MAIL_REPLIES)'],
    ['--mail-authserv <name>', 'mail server whose Authentication-Results count (PARLANCE_MAIL_AUTHSERV)'],
    ['--smtp <url>', 'mail server for reports to senders (PARLANCE_SMTP)'],
    ['--mail-from <address>', 'sender address of e-mails (PARLANCE_MAIL_FROM)'],
    ['--uploads <place>', 'folder for attachments (PARLANCE_UPLOADS; SQLite default: DATABASE-uploads)'],
    ['--base-url <url>', 'public address of the server (PARLANCE_BASE_URL)'],
  ],
  examples: ['mail receive --db chat.db < message.eml'],
  notes: [
    'Exit codes for mail servers: 0 done, also if the chat refused the e-mail and sent a report. 67 no such address. 75 try again later.',
  ],
  run: receive,
});

export const mailCommand = commandWithSubcommands('mail', 'Mail to the chat', [receiveCommand]);

async function receive({ options, print }: LocalCall<Flags>): Promise<void> {
  const mailing = mailSettings(options);
  if (!mailing?.replies)
    throw new UsageError('Set --mail-replies (PARLANCE_MAIL_REPLIES) to the domain of the addresses.');
  const results = await receiveFromStdin(options, mailing).catch((error: Error & { status?: number }) => {
    const isFinal = error instanceof UsageError || (error.status !== undefined && error.status < 500);
    throw isFinal ? error : new Failure(error.message, undefined, TRY_AGAIN);
  });
  if (results.length === 0)
    throw new Failure('No recipient of the e-mail is an address of this chat.', undefined, NO_SUCH_ADDRESS);
  print({ results }, results.map(sentence).join('\n'));
}

async function receiveFromStdin(
  options: LocalCall<Flags>['options'],
  mailing: NonNullable<ReturnType<typeof mailSettings>>,
): Promise<MailResult[]> {
  const { location } = existingDatabase(options);
  const { smtp } = await import('../../lib/index.ts');
  const { chat } = await openChatAt(location, {
    migrate: false,
    mail: smtp(mailing),
    baseUrl: chooseBaseUrl(options.baseUrl),
    ...(await filesFor(location, options.uploads)),
  });
  try {
    return await chat.receiveMail(process.stdin, options.to ? { to: options.to } : {});
  } finally {
    await chat.close();
  }
}

/** Without the recipient: its address is a secret, and mail servers log the output. */
function sentence(result: MailResult): string {
  if (result.status === 'sent') return `Sent the message ${result.message_id}.`;
  return `${result.status === 'refused' ? 'Refused' : 'Ignored'}: ${result.reason}`;
}
