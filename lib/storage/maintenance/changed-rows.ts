import { hasTable, requiredSchemaIn } from '../migrations/migrate.ts';
import { type Connection, firstColumn, type SqlValue } from '../sql/connection.ts';
import { checkNotMoved, type MoveState, moveStateIn } from '../sql/move-marks.ts';
import { addRows, asTheyCome, type Keepable, type Table, type Values } from './tables.ts';

const KEYS_PER_STATEMENT = 200;

/** Rows that have changed since `trackChanges`, by table, and the entries that say so. */
export interface Changes {
  keys: ReadonlyMap<string, readonly Values[]>;
  entries: readonly number[];
}

const STATE = [
  'DROP TABLE IF EXISTS move_state',
  'CREATE TABLE move_state (id TEXT PRIMARY KEY, other TEXT NOT NULL, required INTEGER NOT NULL) STRICT',
];

/** Stores the other side of a move. It replaces that of an earlier move. */
export async function storeMoveState(connection: Connection, { id, other, required }: MoveState): Promise<void> {
  await runEach(connection, STATE);
  // Servers may log in as a role that does not own the tables, and read where the organization has moved.
  if (connection.dialect.name === 'postgres')
    await runEach(connection, ["COMMENT ON TABLE move_state IS 'Parlance'", 'GRANT SELECT ON move_state TO PUBLIC']);
  await connection.run('INSERT INTO move_state (id, other, required) VALUES (?, ?, ?)', [id, other, required], {
    once: true,
  });
}

/** From now on, triggers note the key of each row that any process changes. Call `stopTracking` before. */
export async function trackChanges(connection: Connection, tables: readonly Table[]): Promise<void> {
  await runEach(connection, ['CREATE TABLE move_changes (id ID, name TEXT NOT NULL, key TEXT NOT NULL) STRICT']);
  const isPostgres = connection.dialect.name === 'postgres';
  if (isPostgres) await runEach(connection, ["COMMENT ON TABLE move_changes IS 'Parlance'"]);
  for (const table of tables.filter(({ key }) => key.length > 0))
    await runEach(connection, isPostgres ? postgresTriggers(table) : sqliteTriggers(table));
}

/**
 * Removes what `trackChanges` has made, also an interrupted one. Resolves to false if there is nothing. One table in each
 * transaction: the lock that removes a trigger would make a deadlock with reads of several tables. So first the move
 * loses its state: if it still runs, its hand-over would miss changes, and is refused.
 * @param id only the tracking of this move
 * @throws StorageError `moved` if the organization has moved
 */
export async function stopTracking(storage: Keepable, id?: string): Promise<boolean> {
  const drops = await storage.inspect(async (connection) => [
    ...(await connection.many<string>(firstColumn, DROPS[connection.dialect.name], [], { once: true })),
    ...((await hasTable(connection, 'move_changes')) ? ['DROP TABLE move_changes'] : []),
  ]);
  if (drops.length === 0) return false;
  const isStopped = await storage.change(async (connection) => {
    await checkNotMoved(connection, await requiredSchemaIn(connection));
    if (!(await hasTable(connection, 'move_changes'))) return id === undefined;
    const state = await moveStateIn(connection);
    if (id !== undefined && state?.id !== id) return false;
    await connection.run('DELETE FROM move_state');
    return true;
  });
  for (const drop of isStopped ? drops : [])
    await storage.change((connection) => runEach(connection, [drop]), { isShared: true });
  return isStopped;
}

const DROPS = {
  sqlite: `SELECT 'DROP TRIGGER ' || name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'note_change_%'`,
  postgres: `SELECT 'DROP FUNCTION ' || quote_ident(proname) || ' CASCADE' FROM pg_proc
    WHERE pronamespace = CAST(quote_ident(current_schema()) AS regnamespace) AND proname LIKE 'note_change_%'`,
};

function sqliteTriggers({ name, key }: Table): string[] {
  const insertChange = (row: string) =>
    `INSERT INTO move_changes (name, key) VALUES ('${name}', json_array(${key.map((column) => `${row}.${column}`)}))`;
  const trigger = (event: string, rows: string[]) =>
    `CREATE TRIGGER note_change_${name}_${event} AFTER ${event} ON ${name} BEGIN ${rows.map(insertChange).join('; ')}; END`;
  return [trigger('INSERT', ['NEW']), trigger('UPDATE', ['OLD', 'NEW']), trigger('DELETE', ['OLD'])];
}

/** SECURITY DEFINER: servers may log in as a role that does not own the tables. */
function postgresTriggers({ name, key }: Table): string[] {
  const of = (row: string) => key.map((column) => `${row}.${column}`).join(', ');
  const insertChange = (row: string) =>
    `INSERT INTO move_changes (name, key) VALUES ('${name}', json_build_array(${of(row)}));`;
  return [
    `CREATE FUNCTION note_change_${name}() RETURNS trigger LANGUAGE plpgsql
       SECURITY DEFINER SET search_path FROM CURRENT AS $note$ BEGIN
       IF TG_OP <> 'INSERT' THEN ${insertChange('OLD')} END IF;
       IF TG_OP = 'INSERT' OR TG_OP = 'UPDATE' AND (${of('NEW')}) IS DISTINCT FROM (${of('OLD')}) THEN
         ${insertChange('NEW')} END IF;
       RETURN NULL; END $note$`,
    `CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON ${name}
       FOR EACH ROW EXECUTE FUNCTION note_change_${name}()`,
  ];
}

async function runEach(connection: Connection, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await connection.run(connection.dialect.schema(statement), [], { once: true });
}

export async function changesIn(connection: Connection): Promise<Changes> {
  const notes = await connection.all<{ id: number; name: string; key: string }>(
    'SELECT id, name, key FROM move_changes',
  );
  const found = new Map<string, Map<string, Values>>();
  for (const { name, key } of notes) {
    const keys = found.get(name) ?? new Map<string, Values>();
    found.set(name, keys.set(key, JSON.parse(key)));
  }
  return {
    keys: new Map([...found].map(([name, keys]) => [name, [...keys.values()]])),
    entries: notes.map(({ id }) => id),
  };
}

/** On PostgreSQL, an entry with a smaller ID may be committed later. So each is removed by its ID. */
export async function forgetChanges(connection: Connection, { entries }: Changes): Promise<void> {
  await connection.run('DELETE FROM move_changes WHERE id IN_IDS(?)', [JSON.stringify(entries)]);
}

/** Makes the rows with these keys equal to those of `from`. `into` must ignore references. */
export async function copyRows(
  from: Connection,
  into: Connection,
  table: Table,
  keys: readonly Values[],
): Promise<Values[]> {
  if (table.key.length === 0) {
    const rows = await from.many(asTheyCome, `SELECT ${table.columns.map(({ name }) => name)} FROM ${table.name}`);
    await into.run(`DELETE FROM ${table.name}`);
    await addRows(into, table, rows);
    return rows;
  }
  const parts = Array.from({ length: Math.ceil(keys.length / KEYS_PER_STATEMENT) }, (_, at) =>
    keys.slice(at * KEYS_PER_STATEMENT, (at + 1) * KEYS_PER_STATEMENT),
  );
  // First all old rows: a new one may have the unique value of another old one.
  for (const part of parts) {
    const { text, values } = condition(table, part);
    await into.run(`DELETE FROM ${table.name} WHERE ${text}`, values, { once: true });
  }
  const copied: Values[] = [];
  for (const part of parts) {
    const { text, values } = condition(table, part);
    const select = `SELECT ${table.columns.map(({ name }) => name)} FROM ${table.name} WHERE ${text}`;
    const rows = await from.many(asTheyCome, select, values, { once: true });
    if (rows.length > 0) await addRows(into, table, rows);
    copied.push(...rows);
  }
  return copied;
}

function condition({ key, columns }: Table, keys: readonly Values[]): { text: string; values: SqlValue[] } {
  const types = key.map((name) =>
    columns.find((column) => column.name === name)?.type === 'INTEGER' ? 'bigint' : 'text',
  );
  const row = `(${types.map((type) => `CAST(? AS ${type})`)})`;
  return { text: `(${key}) IN (VALUES ${keys.map(() => row)})`, values: keys.flat() };
}
