/**
 * A host program with its own transaction. It commits one order with its message, and is killed between the second
 * message and the commit. Arguments: `postgres`, URL and schema, or driver of SQLite and path.
 */
import pg from 'pg';
import { openChat } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { openHandle } from '../../lib/storage/sqlite/driver.ts';
import { sqlite } from '../../lib/storage/sqlite/sqlite.ts';

const [engine, place = '', schema = ''] = process.argv.slice(2);
const driver = engine === 'better-sqlite3' || engine === 'node:sqlite' ? engine : undefined;
const chat = await openChat({ storage: driver ? sqlite(place, { driver }) : postgres(place, { schema }) });
const client = new pg.Client({ connectionString: place });
const database = driver && openHandle(driver, place);
if (!database) await client.connect();
const run = async (text: string) => (database ? database.exec(text) : client.query(text));

async function order(number: number): Promise<void> {
  await run(database ? 'BEGIN IMMEDIATE' : 'BEGIN');
  await run(`INSERT INTO ${database ? '' : `"${schema}".`}orders (number) VALUES (${number})`);
  const message = { type: 'channel', to: 'general', topic: 'orders', content: `order ${number}` } as const;
  await chat
    .system()
    .within(database || client)
    .messages.send(message);
}

await order(1);
await run('COMMIT');
await order(2);
process.kill(process.pid, 'SIGKILL');
