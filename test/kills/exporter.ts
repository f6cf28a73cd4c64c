import { exportChat, localFiles, openChat, sqlite } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';

/** A process that exports, and kills itself at a step. */
export interface ExporterOptions {
  database: string;
  schema?: string;
  uploads: string;
  folder: string;
  /** Number of the step. */
  killAt: number;
}

const { database, schema, uploads, folder, killAt } = JSON.parse(process.argv[2] ?? '') as ExporterOptions;
const chat = await openChat({
  storage: schema === undefined ? sqlite(database) : postgres(database, { schema, poolSize: 4 }),
  files: localFiles(uploads),
});
let steps = 0;
await exportChat(chat, folder, {
  onStep: () => {
    if (++steps === killAt) process.kill(process.pid, 'SIGKILL');
  },
});
await chat.close();
