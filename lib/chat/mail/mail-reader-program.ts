/**
 * The program of a thread that reads one e-mail. `npm run documents` compiles it into `mail-reader-program-text.ts`,
 * since a bundler would lose a second file. It imports the libraries by their paths.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type ReadTerms, readMail } from './read-mail.ts';

export interface MailReaderData {
  /** URLs of the modules. */
  modules: { PostalMime: string; ReplyParser: string; Turndown: string };
  raw: Uint8Array;
  terms: ReadTerms;
}

process.emitWarning = () => undefined;

async function read({ modules, raw, terms }: MailReaderData): Promise<void> {
  const { default: PostalMime } = await import(modules.PostalMime);
  const { default: ReplyParser } = await import(modules.ReplyParser);
  const loadTurndown = async () => (await import(modules.Turndown)).default;
  const mail = await readMail({ PostalMime, ReplyParser, loadTurndown }, raw, terms);
  parentPort?.postMessage(
    mail,
    mail.attachments.map(({ content }) => content.buffer),
  );
}

void read(workerData as MailReaderData);
