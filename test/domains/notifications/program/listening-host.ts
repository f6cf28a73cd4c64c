/**
 * A host program that listens to notifications and writes each to a file. It is killed after the second one, before the
 * listener has returned. Arguments: the file, then `postgres`, URL and schema, or driver of SQLite and path.
 */
import { appendFileSync } from 'node:fs';
import { openChat } from '../../../../lib/index.ts';
import { postgres } from '../../../../lib/storage/postgres/postgres.ts';
import { sqlite } from '../../../../lib/storage/sqlite/sqlite.ts';

const [file = '', engine, place = '', schema = ''] = process.argv.slice(2);
const driver = engine === 'better-sqlite3' || engine === 'node:sqlite' ? engine : undefined;
const chat = await openChat({
  storage: driver ? sqlite(place, { driver }) : postgres(place, { schema }),
  notifications: { program: ['push'] },
});
let count = 0;
await chat.on(
  'notification',
  ({ position, message }) => {
    appendFileSync(file, `${position} ${message.content}\n`);
    if (++count === 2) process.kill(process.pid, 'SIGKILL');
  },
  { cursor: 'sms', way: 'push' },
);
chat.start({ keepAlive: true });
process.stdout.write('listening\n');
