import {
  type Connection,
  type Row,
  type RowShape,
  type SqlValue,
  Statements,
} from '../../lib/storage/sql/connection.ts';
import { sqliteDialect } from '../../lib/storage/sql/dialect.ts';
import { defaultDriver, type Handle, openHandle } from '../../lib/storage/sqlite/driver.ts';

/** Features of both drivers that the storage does not use. */
interface CallableHandle extends Handle {
  function(name: string, options: { deterministic: boolean }, call: (value: unknown) => number): unknown;
}

/** A connection to a file of SQLite that counts the rows which its statements visit in some tables. */
export class Counting extends Statements implements Connection {
  readonly dialect = sqliteDialect;
  readonly knownSchema = 0;
  statements = 0;
  visits = 0;
  readonly #database: CallableHandle;
  readonly #visited: RegExp;

  constructor(file: string, tables: readonly string[]) {
    super();
    this.#visited = new RegExp(`\\b(FROM|JOIN) (${tables.join('|')}) (?!WHERE|SET|ON|ORDER)(\\w+)`, 'g');
    this.#database = openHandle(defaultDriver(), file) as CallableHandle;
    this.#database.function('visit', { deterministic: false }, (_key: unknown) => {
      this.visits++;
      return 1;
    });
  }

  #prepare(sql: string) {
    this.statements++;
    const text = this.dialect.query(sql).replace(this.#visited, (_, from, table, name) => {
      const key = ['messages', 'users'].includes(table) ? 'id' : 'user_id';
      return `${from} (SELECT * FROM ${table} WHERE visit(${key}) = 1) AS ${name}`;
    });
    return this.#database.prepare(text);
  }

  many<T>(shape: RowShape<T>, sql: string, params: readonly SqlValue[] = []): T[] {
    const rows = this.#prepare(sql).all(...params) as Row[];
    if (rows.length === 0) return [];
    const read = shape.reader(Object.keys(rows[0] as Row));
    return rows.map((row) => read(Object.values(row)));
  }

  one<T>(shape: RowShape<T>, sql: string, params: readonly SqlValue[] = []): T | undefined {
    return this.many(shape, sql, params)[0];
  }

  run(sql: string, params: readonly SqlValue[] = []): number {
    return this.#prepare(sql).run(...params).changes as number;
  }

  exec(sql: string, ...params: SqlValue[]): void {
    this.#database.prepare(sql).run(...params);
  }

  close(): void {
    this.#database.close();
  }
}
