import { SqliteConnection } from '../../lib/storage/sqlite/connection.ts';
import { defaultDriver } from '../../lib/storage/sqlite/driver.ts';
import { SqliteStorage } from '../../lib/storage/sqlite/sqlite.ts';
import { contentOfOlder, upTo } from '../storage/older-content.ts';

/** `older-database FILE VERSION`: a database as that version of the schema had it, for transcripts. */
const [path = '', version] = process.argv.slice(2);
const storage = new SqliteStorage(path, {}, upTo(Number(version)));
await storage.open();
await storage.close();
const connection = new SqliteConnection(defaultDriver(), path);
connection.exec(contentOfOlder(1_200));
connection.close();
