import type { RowShape, SqlValue } from './connection.ts';
import type { Dialect } from './dialect.ts';

/** How a value of this type is stored: booleans as 1 and 0, structures as JSON text. Each may be null. */
type KindOf<V> = [NonNullable<V>] extends [boolean]
  ? 'boolean'
  : [NonNullable<V>] extends [number]
    ? 'integer'
    : [NonNullable<V>] extends [string]
      ? 'text'
      : [NonNullable<V>] extends [Uint8Array]
        ? 'bytes'
        : 'json';

/** A column of another name than the field's; `read` makes the field's value of what only this record stores so. */
interface NamedColumn<V> {
  readonly column: string;
  readonly read?: (value: SqlValue) => V;
}

type Columns<T> = { readonly [field in keyof T]-?: KindOf<T[field]> | NamedColumn<T[field]> };

interface Field {
  readonly name: string;
  readonly column: string;
  readonly kind: string;
  /** Absent where the column's value is the field's. */
  readonly read: ((value: SqlValue) => unknown) | undefined;
}

/** Values of the other kinds are the column's own. */
const READ: Record<string, (value: SqlValue) => unknown> = {
  boolean: (value) => (value === null ? null : value === 1),
  json: (value) => (value === null ? null : JSON.parse(value as string)),
};

/** Describes a record once: each field with its kind. What statements say of its columns follows. */
export function record<T>(columns: Columns<T>): RecordMapping<T> {
  const entries = Object.entries<string | NamedColumn<unknown>>(columns);
  return new RecordMapping(
    entries.map(([name, given]) =>
      typeof given === 'string'
        ? { name, column: name, kind: given, read: READ[given] }
        : { name, column: given.column, kind: 'named', read: given.read },
    ),
  );
}

export class RecordMapping<T> implements RowShape<T> {
  readonly #fields: readonly Field[];
  /** `a, b, c`: to be selected, returned or inserted into. */
  readonly columns: string;
  /** `?, ?, ?`: where `values` go. */
  readonly places: string;

  constructor(fields: readonly Field[]) {
    this.#fields = fields;
    this.columns = fields.map(({ column }) => column).join(', ');
    this.places = fields.map(() => '?').join(', ');
  }

  /** The columns of a table that has another name in the statement; expressions take the place of some. */
  of(table: string, expressions: { readonly [field in keyof T]?: string } = {}): string {
    const given = expressions as Record<string, string | undefined>;
    return this.#fields
      .map(({ name, column }) => (given[name] === undefined ? `${table}.${column}` : `${given[name]} AS ${column}`))
      .join(', ');
  }

  /** `places` where nothing tells the engine of which type they are. */
  get typedPlaces(): string {
    return this.#fields
      .map(({ kind }) => `CAST(? AS ${kind === 'integer' || kind === 'boolean' ? 'BIGINT' : 'TEXT'})`)
      .join(', ');
  }

  /**
   * For any number of new rows of a table in one statement, whose parameter is a JSON list of the `values` of each,
   * with those of the columns `keys`, which are texts, after them. They get their ids in the order of the list.
   */
  insertMany(table: string, keys: readonly string[] = []): Readonly<Record<Dialect['name'], string>> {
    const columns = [...this.#fields.map(({ column }) => column), ...keys];
    const isNumber = (at: number) => ['integer', 'boolean'].includes(this.#fields[at]?.kind ?? '');
    const insert = (value: (at: number) => string, list: string, order: string) =>
      `INSERT INTO ${table} (${columns.join(', ')})
       SELECT ${columns.map((_, at) => value(at)).join(', ')} FROM ${list} WHERE true ORDER BY ${order}`;
    return {
      sqlite: insert((at) => `json_extract(value, '$[${at}]')`, 'json_each(?)', 'key'),
      postgres: insert(
        (at) => (isNumber(at) ? `CAST(value->>${at} AS bigint)` : `value->>${at}`),
        'json_array_elements(CAST(? AS json)) WITH ORDINALITY AS given (value, place)',
        'place',
      ),
    };
  }

  without<Field extends keyof T>(...names: Field[]): RecordMapping<Omit<T, Field>> {
    const left = new Set<unknown>(names);
    return new RecordMapping(this.#fields.filter(({ name }) => !left.has(name)));
  }

  values(from: T): SqlValue[] {
    return this.#fields.map(({ name }) => toColumn((from as Record<string, unknown>)[name]));
  }

  /**
   * `column = ?, …` for the fields a patch carries, in the record's order so that few texts arise. `once`: it carries
   * several, of which callers choose, so that there are too many texts to keep.
   */
  assignments(patch: Partial<T>): { text: string; params: SqlValue[]; once: boolean } {
    const given = patch as Record<string, unknown>;
    const present = this.#fields.filter(({ name }) => given[name] !== undefined);
    return {
      text: present.map(({ column }) => `${column} = ?`).join(', '),
      params: present.map(({ name }) => toColumn(given[name])),
      once: present.length > 1,
    };
  }

  /** Made once for a statement; for each row it goes through lists and looks nothing up by name. */
  reader(columns: readonly string[]): (values: readonly SqlValue[]) => T {
    const names = this.#fields.map(({ name }) => name);
    const places = this.#fields.map(({ column }) => columns.indexOf(column));
    const missing = this.#fields.find((_, at) => places[at] === -1);
    if (missing) throw new Error(`A statement does not select the column ${missing.column}.`);
    const reads = this.#fields.map(({ read }) => read);
    return (values) => {
      const result: Record<string, unknown> = {};
      for (let at = 0; at < names.length; at++) {
        const value = values[places[at] as number] as SqlValue;
        const read = reads[at];
        result[names[at] as string] = read ? read(value) : value;
      }
      return result as T;
    };
  }
}

function toColumn(value: unknown): SqlValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return value as SqlValue;
}
