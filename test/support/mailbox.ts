import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail server that keeps what it is given. */
export interface Mailbox {
  url: string;
  /** As a mail program reads them, in the order in which they came. */
  emails: Email[];
  /** Refuse this many deliveries before taking one. */
  refuse: number;
  close(): Promise<void>;
}

export async function openMailbox(): Promise<Mailbox> {
  const box: Mailbox = { url: '', emails: [], refuse: 0, close: async () => undefined };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (box.refuse > 0) {
          box.refuse--;
          done(new Error('try again later'));
          return;
        }
        PostalMime.parse(Buffer.concat(chunks)).then((email) => {
          box.emails.push(email);
          done();
        }, done);
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  box.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  box.close = () => new Promise((resolve) => server.close(() => resolve()));
  return box;
}

/** The addresses of web pages in a text. */
export const linksIn = (text = '') => text.match(/https?:\/\/\S+/g) ?? [];
