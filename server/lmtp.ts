import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import type { Chat } from '../lib/index.ts';
import { isChatError } from '../lib/index.ts';
import { transportOf } from '../lib/internal.ts';

const MAX_BYTES = 25 * 1024 * 1024;
/** Mail servers use few connections. */
const MAX_CLIENTS = 20;
const IDLE_MS = 60_000;

/** A listening LMTP server. */
export interface RunningLmtp {
  /** With the port, if it was 0. */
  readonly address: { host: string; port: number };
  close(): Promise<void>;
}

/**
 * Receives mail from a mail server over LMTP (RFC 2033). It has no login: only the mail server may reach its address.
 * It refuses an unknown recipient before the e-mail. It accepts an e-mail that the chat refuses, since the chat reports
 * it: the mail server would report each one, also to forged senders.
 */
export async function listenForMail(chat: Chat, { host, port }: { host: string; port: number }): Promise<RunningLmtp> {
  const { SMTPServer } = await import('smtp-server');
  const transport = transportOf(chat);
  const { logger } = transport.engine;
  const server = new SMTPServer({
    lmtp: true,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    banner: 'Parlance',
    size: MAX_BYTES,
    maxClients: MAX_CLIENTS,
    socketTimeout: IDLE_MS,
    closeTimeout: 5_000,
    logger: false,
    onRcptTo({ address }, _session, done) {
      transport.acceptsMailFor(address).then(
        (isKnown) => done(isKnown ? null : smtpError(550, '5.1.1 There is no such address here.')),
        (error: unknown) => done(temporary(error)),
      );
    },
    onData(stream, session, done) {
      receive(stream, session).then(
        (answers) => done(null, answers as unknown as string),
        (error: unknown) =>
          done(isChatError(error) && error.status < 500 ? smtpError(554, `5.6.0 ${error.message}`) : temporary(error)),
      );
    },
  });
  /** One answer for each recipient, in their order. */
  async function receive(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<string[]> {
    const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
    const to = envelope.rcptTo.map(({ address }) => address);
    const results = await chat.receiveMail(stream as Readable, { to, from });
    return to.map((address) => {
      const result = results.find(({ recipient }) => recipient === address);
      return `2.1.5 ${result?.status ?? 'ignored'}`;
    });
  }
  function temporary(error: unknown): Error {
    logger.error({ error }, 'receiving an e-mail failed; the mail server sends it again later');
    return smtpError(451, '4.3.0 Try again later.');
  }
  // Connections that break off. Without a listener, they would end the process.
  server.on('error', (error) => logger.debug({ error }, 'a connection of a mail server failed'));
  server.server.on('error', () => undefined);
  server.listen(port, host);
  await once(server.server, 'listening');
  const { port: chosen } = server.server.address() as AddressInfo;
  return {
    address: { host, port: chosen },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const smtpError = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });
