import { localFiles, openChat, sqlite } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { serve } from '../../server/index.ts';

/** A process that serves a chat with a folder of files until it is killed. It writes `= url` when it listens. */
export interface UploadServerOptions {
  database: string;
  schema?: string;
  files: string;
}

const { database, schema, files } = JSON.parse(process.argv[2] as string) as UploadServerOptions;
const storage = schema === undefined ? sqlite(database) : postgres(database, { schema, poolSize: 4 });
const chat = await openChat({
  storage,
  files: localFiles(files),
  logger: { debug() {}, info() {}, warn() {}, error: report },
});
const { url } = await serve(chat, { port: 0, rateLimits: false });
process.stdout.write(`= ${url}\n`);

function report(data: object, message: string): void {
  const { error } = data as { error?: Error };
  process.stdout.write(`! ${message}: ${(error?.stack ?? '').replaceAll('\n', ' | ')}\n`);
}
