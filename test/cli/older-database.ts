import pg from 'pg';
import { newPool } from '../../lib/storage/postgres/pool.ts';
import { PostgresStorage } from '../../lib/storage/postgres/postgres.ts';
import { SqliteConnection } from '../../lib/storage/sqlite/connection.ts';
import { defaultDriver } from '../../lib/storage/sqlite/driver.ts';
import { SqliteStorage } from '../../lib/storage/sqlite/sqlite.ts';
import { contentOfOlder, upTo } from '../storage/older-content.ts';

/** `older-database PLACE VERSION`: a database, in a file or on PostgreSQL, with that version of the schema. */
const [place = '', version] = process.argv.slice(2);
const known = upTo(Number(version));
const isPostgres = place.startsWith('postgres:');
const storage = isPostgres
  ? new PostgresStorage(newPool(place, 2), { ownsPool: true, known })
  : new SqliteStorage(place, {}, known);
await storage.open();
await storage.close();
// Its search index is not filled yet.
const content = `${contentOfOlder(1_200)};
  INSERT INTO conversation_participants (user_id, conversation_id) VALUES (1, 1);
  INSERT INTO unfinished_fills (version, filled_to) VALUES (${version}, 0)`;
if (isPostgres) {
  const client = new pg.Client(place);
  await client.connect();
  await client.query(content);
  await client.end();
} else {
  const connection = SqliteConnection.open(defaultDriver(), place);
  connection.exec(content);
  connection.close();
}
