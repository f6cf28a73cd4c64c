import { openChat, type Storage, sqlite } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { serve } from '../../server/index.ts';
import { report, say } from './telling.ts';

/**
 * A server that kills itself with SIGKILL between the commit of a sent message and its response. It writes `= url` when
 * it listens.
 */
export interface CommittingServerOptions {
  database: string;
  schema?: string;
  /** Number of commits that it survives. */
  survives: number;
}

const { database, schema, survives } = JSON.parse(process.argv[2] as string) as CommittingServerOptions;
const storage = schema === undefined ? sqlite(database) : postgres(database, { schema, poolSize: 4 });
const { write } = storage;
let commits = 0;
const killed: Storage['write'] = async (work, kind) => {
  const value = await write.call(storage, work, kind);
  // All other work here takes longer.
  if (kind === 'append' && commits++ === survives) process.kill(process.pid, 'SIGKILL');
  return value as never;
};
const chat = await openChat({
  storage: Object.assign(storage, { write: killed }),
  logger: { debug() {}, info() {}, warn() {}, error: report },
});
const { url } = await serve(chat, { port: 0, rateLimits: false });
say(`= ${url}`);
