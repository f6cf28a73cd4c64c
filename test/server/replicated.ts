import type { TestContext } from 'node:test';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { tcpRelay } from '../support/tcp-relay.ts';
import { troubled } from './database-trouble.ts';

/** A chat on a server with a standby, behind an address that can lead to either. */
export async function replicated(t: TestContext) {
  const server = await startPostgresServer({ durable: true });
  t.after(() => server.stop());
  const standby = await server.standby();
  const relay = await tcpRelay(t, server.url);
  const chat = await troubled(t, postgres(relay.url, { schema: 'chat', poolSize: 5 }));
  return { server, standby, relay, chat };
}
