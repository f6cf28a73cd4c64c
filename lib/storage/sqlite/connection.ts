import { setTimeout as delay } from 'node:timers/promises';
import {
  type Connection,
  firstColumn,
  KeptWords,
  plainRow,
  type Row,
  type RowShape,
  type Sending,
  type SqlValue,
  Statements,
} from '../sql/connection.ts';
import { sqliteDialect } from '../sql/dialect.ts';
import { type Handle, type HandleStatement, type ListStatement, openHandle, type SqliteDriverName } from './driver.ts';
import { isBusy } from './errors.ts';

interface Prepared {
  statement: ListStatement;
  /** Number of parameters. Checked, because one driver silently binds NULL for missing ones. */
  size: number;
  columns: readonly string[];
}

const NONE: readonly SqlValue[] = [];

/** Time to wait for a lock of another process, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

/** Retries without blocking the event loop, unlike `busy_timeout`. */
export async function retryWhileBusy<T>(attempt: () => Promise<T>): Promise<T> {
  const end = Date.now() + BUSY_TIMEOUT_MS;
  for (let pause = 5; ; pause = Math.min(pause * 2, 100)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error;
    }
    await delay(pause + Math.random() * pause);
  }
}

export class SqliteConnection extends Statements implements Connection {
  readonly dialect = sqliteDialect;
  /** Number of statements so far. */
  statements = 0;
  readonly knownSchema: number;
  readonly keptWords = new KeptWords();
  readonly #handle: Handle;
  readonly #prepared = new Map<string, Prepared>();

  constructor(handle: Handle, knownSchema = 0) {
    super();
    this.knownSchema = knownSchema;
    this.#handle = handle;
  }

  static open(driver: SqliteDriverName, path: string, knownSchema?: number): SqliteConnection {
    return new SqliteConnection(openHandle(driver, path), knownSchema);
  }

  override all<R = Row>(sql: string, params?: readonly SqlValue[], options?: Sending): R[] {
    return this.many<R>(plainRow, sql, params, options);
  }

  override get<R = Row>(sql: string, params?: readonly SqlValue[], options?: Sending): R | undefined {
    return this.one<R>(plainRow, sql, params, options);
  }

  override column<V extends SqlValue = number>(sql: string, params?: readonly SqlValue[]): V[] {
    return this.many<V>(firstColumn, sql, params);
  }

  many<T>(shape: RowShape<T>, sql: string, params: readonly SqlValue[] = NONE, options?: Sending): T[] {
    const prepared = this.#statementOf(sql, options);
    const lists = prepared.statement.all(...bind(prepared.size, params));
    return lists.map(shape.reader(prepared.columns));
  }

  one<T>(shape: RowShape<T>, sql: string, params: readonly SqlValue[] = NONE, options?: Sending): T | undefined {
    const prepared = this.#statementOf(sql, options);
    const list = prepared.statement.get(...bind(prepared.size, params));
    return list && shape.reader(prepared.columns)(list);
  }

  run(sql: string, params: readonly SqlValue[] = NONE, options?: Sending): number {
    const prepared = this.#statementOf(sql, options);
    return Number(prepared.statement.run(...bind(prepared.size, params)).changes);
  }

  readonly insertEach = (sql: string, rows: readonly (readonly SqlValue[])[]): number[] => {
    const { statement, size } = this.#statementOf(sql);
    return rows.map((row) => Number(statement.get(...bind(size, row))?.[0]));
  };

  /** BEGIN, SAVEPOINT and similar. Not counted as statements of an operation. */
  control(sql: string): void {
    if (sql.startsWith('ROLLBACK')) this.keptWords.clear();
    (this.#prepared.get(sql) ?? this.#prepare(sql)).statement.run();
  }

  /** Begins a transaction that writes. Waits while another process has one. */
  beginWriting(): Promise<void> {
    return retryWhileBusy(async () => this.control('BEGIN IMMEDIATE'));
  }

  /** Does nothing if SQLite has rolled back already, or if there is no transaction. */
  rollBack(): void {
    try {
      this.control('ROLLBACK');
    } catch {
      // No transaction is open.
    }
  }

  /** Several statements at once, without parameters. */
  exec(script: string): void {
    this.#handle.exec(script);
  }

  pragma(name: string): SqlValue | undefined {
    return this.scalar(`PRAGMA ${name}`);
  }

  /** One value of the connection or the file. Not counted as a statement of an operation. */
  scalar(text: string): SqlValue | undefined {
    // Accepts objects too: drivers that are too old for array rows are asked for their version like this.
    const row = (this.#prepared.get(text) ?? this.#prepare(text)).statement.get();
    return row && Object.values(row)[0];
  }

  get cachedStatements(): number {
    return this.#prepared.size;
  }

  close(): void {
    this.#prepared.clear();
    this.#handle.close();
  }

  #statementOf(sql: string, options?: Sending): Prepared {
    this.statements++;
    return this.#prepared.get(sql) ?? this.#prepare(sql, options);
  }

  #prepare(sql: string, { once = false }: Sending = {}): Prepared {
    const text = this.dialect.query(sql);
    const statement = this.#handle.prepare(text);
    const prepared = { ...asLists(statement), size: placesIn(text) };
    if (!once) this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** Switches to array rows: drivers build objects more slowly than we do, and one builds them without a prototype. */
function asLists(statement: HandleStatement): { statement: ListStatement; columns: string[] } {
  const hasRows = !statement.raw || statement.reader === true;
  if (!statement.raw) statement.setReturnArrays?.(true);
  else if (hasRows) statement.raw();
  const columns = (hasRows && statement.columns?.()) || [];
  return { statement: statement as ListStatement, columns: columns.map(({ name }) => name) };
}

/** Number of parameters of a statement. */
export const placesIn = (text: string) => text.split('?').length - 1;

/** @throws RangeError for a wrong number of values */
export function bind(size: number, params: readonly SqlValue[]): readonly SqlValue[] {
  if (params.length !== size) throw new RangeError(`A statement needs ${size} values, but got ${params.length}.`);
  for (const param of params) {
    if (param === undefined || typeof param === 'boolean') return params.map(toSqlite);
  }
  return params;
}

function toSqlite(value: SqlValue | boolean | undefined): SqlValue {
  if (value === undefined) return null;
  return typeof value === 'boolean' ? Number(value) : value;
}
