import { importChat, openChat, sqlite } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { exportIn } from '../import/export-in.ts';
import { say } from './telling.ts';

/** A process that imports an export until it is killed. It writes a line after each committed part. */
export interface ImporterOptions {
  database: string;
  schema?: string;
  /** Its ending names the chat. */
  file: string;
}

const { database, schema, file } = JSON.parse(process.argv[2] ?? '') as ImporterOptions;
const chat = await openChat({
  storage: schema === undefined ? sqlite(database) : postgres(database, { schema, poolSize: 4 }),
});
await importChat(chat, exportIn(file), { onProgress: ({ messages }) => messages > 0 && say(`+ ${messages}`) });
say('= all');
await chat.close();
