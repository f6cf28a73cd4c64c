/**
 * The program of a thread that reads one e-mail. `npm run documents` compiles it into `mail-reader-program-text.ts`,
 * since a bundler would lose a second file. It imports the libraries by their paths.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type ReadingLibraries, type ReadTerms, readMail } from './read-mail.ts';

export interface MailReaderData {
  /** URLs of the modules. */
  modules: { [name in keyof ReadingLibraries]: string };
  raw: Uint8Array;
  terms: ReadTerms;
}

process.emitWarning = () => undefined;

async function read({ modules, raw, terms }: MailReaderData): Promise<void> {
  const { PostalMime, ReplyParser, Turndown } = modules;
  const [mime, parser, turndown] = await Promise.all([PostalMime, ReplyParser, Turndown].map((url) => import(url)));
  const mail = await readMail(
    { PostalMime: mime.default, ReplyParser: parser.default, Turndown: turndown.default },
    raw,
    terms,
  );
  parentPort?.postMessage(
    mail,
    mail.attachments.map(({ content }) => content.buffer),
  );
}

void read(workerData as MailReaderData);
