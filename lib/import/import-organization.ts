import { randomBytes } from 'node:crypto';
import type { FileStore } from '../adapters/files.ts';
import { errorOf } from '../base/caught.ts';
import { present } from '../base/present.ts';
import type { ExportManifest } from '../domains/exports/format.ts';
import { storedAt } from '../domains/uploads/stored-file.ts';
import type { KeepingStep } from '../maintenance/back-up.ts';
import { countFrom, fillDerived } from '../maintenance/restore.ts';
import { readPathId } from '../rules/uploads.ts';
import { exportedColumns, exportedTables } from '../storage/maintenance/export-rows.ts';
import type { ExportRule, Replacement } from '../storage/maintenance/exported-tables.ts';
import {
  addRows,
  type Column,
  type Keepable,
  type Table,
  tablesOf,
  type Values,
} from '../storage/maintenance/tables.ts';
import { migrations } from '../storage/migrations/index.ts';
import { checkKnown } from '../storage/migrations/migrate.ts';
import type { Migration } from '../storage/migrations/migration.ts';
import type { Connection, SqlValue } from '../storage/sql/connection.ts';
import { StorageError } from '../storage/storage-error.ts';
import { ExportFiles } from './export-files.ts';
import { BadExport } from './source.ts';

const ROWS_PER_INSERT = 500;

/** Options of `importOrganization`. */
export interface ImportOrganizationOptions {
  /** File store for the uploaded files. Required if the export contains files. */
  files?: FileStore | undefined;
  /** Called repeatedly with the progress. */
  onStep?: ((step: KeepingStep) => void) | undefined;
}

/**
 * Imports a folder of `exportChat` into an empty database of either engine. IDs stay the same. It first compares all
 * digests. One transaction fills the database; call it again after an interruption. The next `openChat` migrates
 * it. Exports contain no passwords and keys: users set new passwords, and programs need new API keys.
 * @param path folder of the export. Import only exports that you trust: permissions and HTML come from it.
 * @param storage the target. It must not be open.
 * @throws BadExport for a damaged or incomplete export. The message names the file.
 * @throws StorageError `foreign-application` if the database contains an organization
 * @throws StorageError `newer-version` or `too-old` if this version cannot read the export
 * @example await importOrganization('/exports/2026-11-29', postgres(url), { files: localFiles('uploads') });
 */
export async function importOrganization(
  path: string,
  storage: Keepable,
  { files, onStep }: ImportOrganizationOptions = {},
): Promise<ExportManifest> {
  const source = await ExportFiles.open(path);
  const { manifest } = source;
  checkKnown(manifest.schema, migrations, path);
  await checkEmpty(storage);
  if (manifest.files.count > 0 && !files)
    throw new StorageError(
      `The export contains ${manifest.files.count} files, but there is no file store.`,
      'files-missing',
    );
  await source.verify((what, done) => onStep?.({ what: `verifying ${what}`, done }));
  if (files) await storeFiles(source, files, onStep);
  await storage.refill({ version: manifest.schema, checkReplaceable: refuse }, (into) => fill(source, into, onStep));
  return manifest;
}

function refuse(name: string): never {
  throw new StorageError(`The database already contains the organization "${name}".`, 'foreign-application');
}

async function checkEmpty(storage: Keepable): Promise<void> {
  const name = await storage
    .inspect(async (connection) => connection.get<{ name: string }>('SELECT name FROM organization'))
    .catch((error: unknown) => {
      const isNew = error instanceof StorageError && (error.reason === 'empty' || error.reason === 'unreachable');
      if (!isNew) throw error;
      return undefined;
    });
  if (name) refuse(name.name);
}

type OnStep = ImportOrganizationOptions['onStep'];

/** Both lists are in the order of the IDs. The content of a key never changes, so existing files stay. */
async function storeFiles(source: ExportFiles, files: FileStore, onStep: OnStep): Promise<void> {
  const { bytes } = source.manifest.files;
  const listed = source.listed();
  let next = (await listed.next()).value;
  let done = 0;
  for await (const [{ id, file_key }, line] of source.rows('uploads')) {
    if (!next || next.upload_id !== id) continue;
    if (typeof file_key !== 'string' || !readPathId(`${file_key}/file`))
      throw new BadExport(`uploads.jsonl, line ${line}: the key of the file is not valid.`);
    const key = storedAt({ file_key });
    if ((await files.size(key)) !== next.size) await files.write(key, source.content(next.path)).catch(rethrowCause);
    done += next.size;
    onStep?.({ what: 'files', done, total: bytes });
    next = (await listed.next()).value;
  }
  if (next) throw new BadExport(`uploads.jsonl has no row for the file ${next.path}.`);
}

/** The message of a store is for users of a server. */
function rethrowCause(error: unknown): never {
  const { cause } = errorOf(error);
  throw cause instanceof StorageError ? cause : error;
}

async function fill(source: ExportFiles, into: Connection, onStep: OnStep): Promise<void> {
  const { manifest } = source;
  const { schema } = manifest;
  const known = migrations.filter(({ version }) => version <= schema);
  for (const { table, rule } of exportedTables(schema).filter((each) => !each.rule.isOnlyForPerson)) {
    const described = manifest.tables.find(({ name }) => name === table.name);
    if (!described) throw new BadExport(`The export has no table ${table.name}.`);
    let done = 0;
    for await (const rows of valuesOf(source, table, rule)) {
      await addRows(into, table, rows);
      done += rows.length;
      onStep?.({ what: table.name, done, total: described.rows });
    }
    if (done !== described.rows)
      throw new BadExport(`The file ${table.name}.jsonl has ${done} rows, not ${described.rows}.`);
    if (described.last_id) await countFrom(into, table, described.last_id);
  }
  const required = Math.max(0, ...known.filter(({ isBreaking }) => isBreaking).map(({ version }) => version));
  await into.run('UPDATE organization SET required_schema = ?', [required]);
  for (const { version, name } of known)
    await into.run('INSERT INTO migrations (version, name, applied_ms) VALUES (?, ?, ?)', [version, name, Date.now()]);
  await beginLog(into, known);
  await into.run('INSERT INTO message_retention (id, due_ms) VALUES (1, ?)', [Date.now()]);
  await into.run('INSERT INTO presence_updates (id, update_id) VALUES (1, 0)');
  await into.run(
    'INSERT INTO upload_space (id, used) SELECT 1, COALESCE(SUM(size), 0) FROM uploads WHERE is_complete = 1',
  );
  await fillDerived(into, known, { onStep });
}

/** New events come after the positions that the subscription periods contain. */
async function beginLog(into: Connection, known: readonly Migration[]): Promise<void> {
  const last =
    (await into.value(
      'SELECT MAX(CASE WHEN to_seq > after_seq THEN to_seq ELSE after_seq END) FROM subscription_periods',
    )) ?? 0;
  await into.run('INSERT INTO event_log (id, trimmed_to) VALUES (1, ?)', [last]);
  const events = tablesOf(known).find(({ name }) => name === 'events');
  if (last > 0) await countFrom(into, present(events), last);
}

async function* valuesOf(source: ExportFiles, table: Table, rule: ExportRule): AsyncGenerator<Values[]> {
  const shape = new ValueShape(table, rule);
  let rows: Values[] = [];
  for await (const [row, line] of source.rows(table.name)) {
    rows.push(shape.values(row, line));
    if (rows.length < ROWS_PER_INSERT) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/** Makes the values of a row, in the order of the columns. */
class ValueShape {
  readonly #given: ReadonlySet<string>;

  constructor(
    private readonly table: Table,
    private readonly rule: ExportRule,
  ) {
    this.#given = new Set(exportedColumns(table, rule).map(({ name }) => name));
  }

  values(row: Record<string, unknown>, line: number): Values {
    return this.table.columns.map((column) => {
      const { name } = column;
      if (!this.#given.has(name)) return stored(this.rule.without?.[name] ?? null);
      const value = this.#value(column, row[name]);
      if (value === undefined) throw new BadExport(`${this.table.name}.jsonl, line ${line}: ${name} is not valid.`);
      return value;
    });
  }

  /** undefined if it is not valid. */
  #value({ name, type }: Column, given: unknown): SqlValue | undefined {
    if (given === null || given === undefined) return given;
    if (this.rule.json?.includes(name)) return JSON.stringify(given);
    if (this.rule.flags?.includes(name)) return typeof given === 'boolean' ? Number(given) : undefined;
    if (type === 'INTEGER') return typeof given === 'number' && Number.isSafeInteger(given) ? given : undefined;
    if (typeof given !== 'string') return undefined;
    return type === 'BLOB' ? Buffer.from(given, 'base64') : given;
  }
}

const stored = (replacement: Replacement): SqlValue =>
  replacement === 'new secret' ? randomBytes(32).toString('hex') : replacement;
