import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { SMTPServer } from 'smtp-server';

/** Where both processes store the chat. */
export interface SoakPlace {
  given: { database: string; schema?: string };
  remove(): Promise<void>;
}

/** Waits for the disk, as in production. */
export async function postgresPlace(): Promise<SoakPlace> {
  const given = process.env.PARLANCE_TEST_POSTGRES;
  const { startPostgresServer } = await import('../support/postgres-server.ts');
  const { url, stop } = given
    ? { url: given, stop: async () => undefined }
    : await startPostgresServer({ durable: true });
  const schema = `soak_${randomBytes(6).toString('hex')}`;
  return {
    given: { database: url, schema },
    async remove() {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await client.end();
      await stop();
    },
  };
}

export function filePlace(folder: string): SoakPlace {
  return { given: { database: join(folder, 'chat.db') }, remove: async () => undefined };
}

/** A mail server that accepts and counts all e-mails. */
export async function mailServer() {
  let letters = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      stream.on('end', () => {
        letters++;
        done();
      });
      stream.resume();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    letters: () => letters,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
