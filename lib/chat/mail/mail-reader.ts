import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { BadRequest } from '../../base/errors.ts';
import { Semaphore } from '../../storage/semaphore.ts';
import type { MailReaderData } from './mail-reader-program.ts';
import { MAIL_READER_PROGRAM } from './mail-reader-program-text.ts';
import type { ReadMail, ReadTerms } from './read-mail.ts';

/** Bytes of an e-mail with its attachments. */
export const MAX_MAIL_BYTES = 25 * 1024 * 1024;
/** An e-mail of the largest size with ordinary lines takes a tenth of it. */
const TIMEOUT_MS = 15_000;
const MEMORY_MIB = 256;
/** At the same time, in all chats of the process. */
const AT_ONCE = new Semaphore(2);

const require = createRequire(import.meta.url);
const urlOf = (name: string) => pathToFileURL(require.resolve(name)).href;

/**
 * Reads an e-mail in a separate thread, with limits for time and memory. The e-mail may be hostile, and the libraries that
 * read it use regular expressions and recursion.
 * @throws BadRequest if it is too large, or takes too long to read
 */
export async function readMailInThread(raw: Uint8Array, terms: ReadTerms): Promise<ReadMail> {
  if (raw.length > MAX_MAIL_BYTES)
    throw new BadRequest(`The e-mail is too large (limit: ${MAX_MAIL_BYTES / 1024 / 1024} MiB).`);
  const modules = {
    PostalMime: urlOf('postal-mime'),
    ReplyParser: urlOf('email-reply-parser'),
    Turndown: urlOf('turndown'),
  };
  return AT_ONCE.run(() => read({ modules, raw, terms }));
}

async function read(workerData: MailReaderData): Promise<ReadMail> {
  const worker = new Worker(MAIL_READER_PROGRAM, {
    eval: true,
    workerData,
    // Without the options of the process, for example a TypeScript loader.
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      const refuse = () => reject(new BadRequest('The e-mail has too many parts, or errors.'));
      timer = setTimeout(refuse, TIMEOUT_MS);
      worker.once('message', resolve).once('error', refuse).once('exit', refuse);
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
