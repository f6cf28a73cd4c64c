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
// Who takes part in the conversation, which other fixtures say themselves.
connection.exec('INSERT INTO conversation_participants (user_id, conversation_id) VALUES (1, 1)');
connection.close();
