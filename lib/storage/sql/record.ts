import { keysOf } from '../../base/keys.ts';
import type { RowShape, SqlValue } from './connection.ts';
import { many, one, type Query } from './store.ts';

/** Storage type of a value: booleans as 1 and 0, structures as JSON text. All may be null. */
type KindOf<V> = [NonNullable<V>] extends [boolean]
  ? 'boolean'
  : [NonNullable<V>] extends [number]
    ? 'integer'
    : [NonNullable<V>] extends [string]
      ? 'text'
      : [NonNullable<V>] extends [Uint8Array]
        ? 'bytes'
        : 'json';

/** A column with another name than the field. `read` converts its value. */
interface NamedColumn<V> {
  readonly column: string;
  readonly read?: (value: SqlValue) => V;
}

type Columns<T> = { readonly [field in keyof T]-?: KindOf<T[field]> | NamedColumn<T[field]> };

interface Field<Name extends string = string> {
  readonly name: Name;
  readonly column: string;
  readonly kind: string;
  /** undefined if the value needs no conversion. */
  readonly read: ((value: SqlValue) => unknown) | undefined;
}

/** Other kinds need no conversion. */
const READ: Record<string, (value: SqlValue) => unknown> = {
  boolean: (value) => (value === null ? null : value === 1),
  json: (value) => (value === null ? null : JSON.parse(String(value))),
};

/** Describes a record: the kind of each field. Column lists and conversions follow from it. */
export function record<T>(columns: Columns<T>): RecordMapping<T> {
  return new RecordMapping(fieldsOf(columns));
}

function fieldsOf<T>(columns: Columns<T>): Field<NameIn<T>>[] {
  return keysOf(columns).map((name) => {
    const given: string | NamedColumn<unknown> = columns[name];
    return typeof given === 'string'
      ? { name, column: name, kind: given, read: READ[given] }
      : { name, column: given.column, kind: 'named', read: given.read };
  });
}

type NameIn<T> = keyof T & string;

const isNumber = (kind: string) => kind === 'integer' || kind === 'boolean';

export class RecordMapping<T> implements RowShape<T> {
  readonly #fields: readonly Field<NameIn<T>>[];
  /** `a, b, c`: for SELECT, RETURNING or INSERT. */
  readonly columns: string;
  /** `?, ?, ?`: parameters for `values`. */
  readonly places: string;

  constructor(fields: readonly Field<NameIn<T>>[]) {
    this.#fields = fields;
    this.columns = fields.map(({ column }) => column).join(', ');
    this.places = fields.map(() => '?').join(', ');
  }

  /** The columns with a table alias. Some may be replaced by expressions. */
  of(table: string, expressions: { readonly [field in keyof T]?: string } = {}): string {
    return this.#fields
      .map(({ name, column }) => {
        const expression = expressions[name];
        return expression === undefined ? `${table}.${column}` : `${expression} AS ${column}`;
      })
      .join(', ');
  }

  /**
   * A statement that inserts any number of rows. Its parameter is a JSON list with the `values` of each row. IDs are
   * assigned in the order of the list.
   */
  insertMany(table: string): string {
    const values = this.#fields.map(({ kind }, at) => (isNumber(kind) ? `NUMBER(${at})` : `TEXT(${at})`));
    return `
      INSERT INTO ${table} (${this.columns}) SELECT ${values.join(', ')} FROM ROWS(?) WHERE true ORDER BY key`;
  }

  /** The record with more columns. */
  with<More>(columns: Columns<More>): RecordMapping<T & More> {
    return new RecordMapping<T & More>([...this.#fields, ...fieldsOf(columns)]);
  }

  only<Name extends keyof T>(...names: Name[]): RecordMapping<Pick<T, Name>> {
    const kept = new Set<unknown>(names);
    const isKept = (field: Field): field is Field<NameIn<Pick<T, Name>>> => kept.has(field.name);
    return new RecordMapping(this.#fields.filter(isKept));
  }

  without<Name extends keyof T>(...names: Name[]): RecordMapping<Omit<T, Name>> {
    const left = new Set<unknown>(names);
    const isKept = (field: Field): field is Field<NameIn<Omit<T, Name>>> => !left.has(field.name);
    return new RecordMapping(this.#fields.filter(isKept));
  }

  /** A method that returns all records of the statement. */
  many(sql: string) {
    return many(this, sql);
  }

  /** A method that returns the first record of the statement. */
  one(sql: string) {
    return one(this, sql);
  }

  /** A method that takes a record and sends the statement with its `values`. Returns the number of changed rows. */
  write(sql: string): Query<[T], number> {
    return async (connection, record) => connection.run(sql, this.values(record));
  }

  /** A method that inserts a record and returns its ID. */
  insert(table: string): Query<[T], number> {
    const sql = `INSERT INTO ${table} (${this.columns}) VALUES (${this.places}) RETURNING id`;
    return async (connection, record) => connection.insert(sql, this.values(record));
  }

  values(from: T): SqlValue[] {
    return this.#fields.map(({ name }) => toColumn(from[name]));
  }

  /**
   * `column = ?, …` for the fields of a patch. Send the statement with `once`: there are too many combinations for the
   * statement cache.
   */
  assignments(patch: Partial<T>): { text: string; params: SqlValue[] } {
    const present = this.#fields.filter(({ name }) => patch[name] !== undefined);
    return {
      text: present.map(({ column }) => `${column} = ?`).join(', '),
      params: present.map(({ name }) => toColumn(patch[name])),
    };
  }

  /** A method that changes fields of the row with an ID. */
  update(table: string): Query<[id: number, patch: Partial<T>], void> {
    return async (connection, id, patch) => {
      const { text, params } = this.assignments(patch);
      if (text === '') return;
      await connection.run(`UPDATE ${table} SET ${text} WHERE id = ?`, [...params, id], { once: true });
    };
  }

  /** Created once per statement, so that rows are read by index and not by name. */
  reader(columns: readonly string[]): (values: readonly SqlValue[]) => T {
    const placed = this.#fields.map(({ name, column, read }) => ({ name, read, place: columns.indexOf(column) }));
    const missing = placed.find(({ place }) => place === -1);
    if (missing) throw new Error(`A statement does not select the field ${missing.name}.`);
    return (values) => {
      const result: Record<string, unknown> = {};
      for (const { name, read, place } of placed) {
        const value = values[place] ?? null;
        result[name] = read ? read(value) : value;
      }
      return result as T;
    };
  }
}

function toColumn(value: unknown): SqlValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  return JSON.stringify(value);
}
