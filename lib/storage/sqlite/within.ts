import { statSync } from 'node:fs';
import { TransactionUnsuitable } from '../../base/errors.ts';
import { endedEarly, inTurn } from '../semaphore.ts';
import { JobConnection, type Work } from '../sql/transaction.ts';
import { SqliteConnection } from './connection.ts';
import type { Handle, SqliteDriverName } from './driver.ts';

interface ChatFile {
  path: string;
  driver: SqliteDriverName;
  knownSchema: number;
  /** undefined in memory. */
  file: { dev: number; ino: number } | undefined;
}

/** The host uses its database for more than one call. */
const connections = new WeakMap<object, SqliteConnection>();

/** Runs a write in the open transaction of the host, in a savepoint. Only the host can see its tables until it commits. */
export function performWithin<T>(handle: object, chat: ChatFile, work: Work<T>): Promise<T> {
  if (!isHandle(handle)) throw new TransactionUnsuitable('Pass the database of better-sqlite3 or node:sqlite.');
  // Two copies of SQLite in one process release each other's locks on a file.
  if (('inTransaction' in handle ? 'better-sqlite3' : 'node:sqlite') !== chat.driver)
    throw new TransactionUnsuitable(`The chat uses ${chat.driver}. Open your database with it, too.`);
  return inTurn(handle, async () => {
    // `open` of better-sqlite3, `isOpen` of node:sqlite.
    const { open, isOpen: isHandleOpen = open } = handle as { open?: boolean; isOpen?: boolean };
    if (isHandleOpen === false) throw new TransactionUnsuitable('This database is closed. Open it again.');
    const connection = connections.get(handle) ?? new SqliteConnection(handle, chat.knownSchema);
    connections.set(handle, connection);
    checkPlace(connection, chat);
    checkTransaction(connection);
    // The host may have rolled back since the last call.
    connection.keptWords.clear();
    connection.control('SAVEPOINT parlance');
    try {
      const value = await new JobConnection(connection).perform(work);
      connection.control('RELEASE parlance');
      return value;
    } catch (error) {
      // An error such as a full disk may have ended the transaction of the host.
      const hasEnded = !isOpen(connection);
      if (!hasEnded) connection.exec('ROLLBACK TO parlance; RELEASE parlance');
      throw hasEnded && isNoSavepoint(error) ? endedEarly() : error;
    }
  });
}

const isHandle = (handle: object): handle is Handle =>
  'prepare' in handle && typeof handle.prepare === 'function' && 'exec' in handle && typeof handle.exec === 'function';

/** Statements name tables without a schema: SQLite must find those of the chat. */
function checkPlace(connection: SqliteConnection, { file, path }: ChatFile): void {
  const schemas = connection.all<{ name: string; file: string }>('PRAGMA database_list');
  const own = schemas.find((schema) => {
    const found = schema.file === '' ? undefined : statSync(schema.file, { throwIfNoEntry: false });
    return file !== undefined && found?.ino === file.ino && found.dev === file.dev;
  });
  if (!own) throw new TransactionUnsuitable(`This database is not ${path}. Open that file, or attach it.`);
  for (const { name } of schemas) {
    if (name === own.name) break;
    const [same] = connection.column<string>(
      `SELECT h.name FROM ${quoted(name)}.sqlite_master h JOIN ${quoted(own.name)}.sqlite_master c ON c.name = h.name
       WHERE h.type IN ('table', 'view') AND h.name NOT LIKE 'sqlite%' LIMIT 1`,
    );
    if (same === undefined) continue;
    throw new TransactionUnsuitable(
      `Your database has a table "${same}", and so has the chat. Do not attach the file: see "Messages in your transaction" in the documentation.`,
    );
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

function checkTransaction(connection: SqliteConnection): void {
  if (!isOpen(connection))
    throw new TransactionUnsuitable('No transaction is open on this database. Run BEGIN IMMEDIATE first.');
}

const isNoSavepoint = (error: unknown) => error instanceof Error && /no such savepoint/.test(error.message);

function isOpen(connection: SqliteConnection): boolean {
  try {
    connection.control('BEGIN');
  } catch {
    return true;
  }
  connection.rollBack();
  return false;
}
