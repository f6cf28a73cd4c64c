import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import PostalMime, { type Email as Letter } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** The response of a mail server that refuses a recipient. */
export interface Refusal {
  code: number;
  says: string;
}

/** A real mail server for one test. */
export interface Mailbox {
  readonly url: string;
  /** Received e-mails, parsed. */
  readonly letters: Letter[];
  /** Senders of their envelopes. */
  readonly senders: string[];
  /** The last e-mail. */
  latest(): Letter;
  /** Recipients that are refused. */
  readonly refusals: Map<string, Refusal>;
  /** For these recipients, the server accepts e-mails and closes the connection before its response. */
  readonly forgets: Set<string>;
  /** Accepts no connections until it is opened again at the same address. */
  close(): Promise<void>;
  reopen(): Promise<void>;
}

/** @param options `asciiOnly`: without the extension SMTPUTF8 */
export async function openMailbox(t: TestContext, options: { asciiOnly?: boolean } = {}): Promise<Mailbox> {
  const letters: Letter[] = [];
  const senders: string[] = [];
  const refusals = new Map<string, Refusal>();
  const forgets = new Set<string>();
  let server = newServer();
  let port = 0;
  function newServer() {
    return new SMTPServer({
      authOptional: true,
      ...(options.asciiOnly ? { hideSMTPUTF8: true } : {}),
      disabledCommands: ['STARTTLS'],
      onRcptTo({ address }, _session, done) {
        const refusal = refusals.get(address);
        done(refusal && Object.assign(new Error(refusal.says), { responseCode: refusal.code }));
      },
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', async () => {
          letters.push(await PostalMime.parse(Buffer.concat(chunks)));
          const { mailFrom, rcptTo } = session.envelope;
          senders.push(mailFrom ? mailFrom.address : '');
          const [recipient] = rcptTo;
          if (recipient && forgets.delete(recipient.address))
            done(Object.assign(new Error('lost'), { responseCode: 421 }));
          else done();
        });
      },
    });
  }
  async function listen() {
    server.listen(port, '127.0.0.1');
    await once(server.server, 'listening');
    port = (server.server.address() as AddressInfo).port;
  }
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  server.on('error', () => undefined);
  await listen();
  t.after(close);
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    senders,
    latest() {
      const letter = letters.at(-1);
      if (!letter) throw new Error('No e-mail has arrived.');
      return letter;
    },
    refusals,
    forgets,
    close,
    async reopen() {
      server = newServer();
      await listen();
    },
  };
}
