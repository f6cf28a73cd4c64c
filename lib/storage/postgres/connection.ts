import { createHash } from 'node:crypto';
import type pg from 'pg';
import { present } from '../../base/present.ts';
import {
  type Concurrency,
  type Connection,
  type RowShape,
  type Sending,
  type SnapshotAnswers,
  type SqlValue,
  Statements,
} from '../sql/connection.ts';
import { postgresDialect } from '../sql/dialect.ts';
import type { Keys } from './keys.ts';
import { send } from './pool.ts';

const asText = (text: string): SqlValue => text;

/** Booleans as 1 and 0, as SQLite returns them. */
const asFlag = (text: string): SqlValue => (text === 't' ? 1 : 0);

/** `\x6869`, or `hi` with `bytea_output = 'escape'`, where a backslash starts an octal number or another backslash. */
const asBytes = (text: string): SqlValue =>
  text.startsWith('\\x')
    ? Buffer.from(text.slice(2), 'hex')
    : Buffer.from(text.replace(/\\(?:\\|([0-3][0-7]{2}))/g, unescapedByte), 'latin1');

const unescapedByte = (_: string, octal?: string) => (octal ? String.fromCharCode(Number.parseInt(octal, 8)) : '\\');

const BOOL = 16;
const BYTEA = 17;
/** int8, int2, int4, float4, float8, numeric. */
const NUMBERS = new Set([20, 21, 23, 700, 701, 1700]);

function parserOf(oid: number): (text: string) => SqlValue {
  if (NUMBERS.has(oid)) return Number;
  if (oid === BOOL) return asFlag;
  if (oid === BYTEA) return asBytes;
  return asText;
}

/** Passed with every query: the parsers of pg are global and belong to the host program. */
const rowTypes = { getTypeParser: parserOf } as unknown as pg.CustomTypesConfig;

interface Prepared {
  name: string;
  text: string;
  arrays: readonly ArrayParam[];
}

interface ArrayParam {
  index: number;
  type: string;
}

const preparedTexts = new Map<string, Prepared>();

/**
 * The name is derived from the text. Two copies of this module (ESM and CommonJS) may use the same pool, and the server
 * refuses one name for two texts.
 */
function prepared(sql: string): Prepared {
  let found = preparedTexts.get(sql);
  if (!found) {
    const text = postgresDialect.query(sql);
    const name = `parlance_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
    found = { name, text, arrays: arraysIn(text) };
    preparedTexts.set(sql, found);
  }
  return found;
}

function unprepared(sql: string) {
  const text = postgresDialect.query(sql);
  return { name: undefined, text, arrays: arraysIn(text) };
}

export function arraysIn(text: string): ArrayParam[] {
  const casts = text.matchAll(/CAST\(\$(\d+) AS (bigint|text)\[\]\)/g);
  return [...casts].map(([, number, type]) => ({ index: Number(number) - 1, type: present(type) }));
}

/** The values with lists as arrays. Callers pass lists as JSON, which differs from an array of numbers in its brackets. */
export function withArrays(params: readonly SqlValue[], arrays: readonly ArrayParam[]): SqlValue[] {
  const values = [...params];
  for (const { index, type } of arrays) {
    const list = String(params[index]);
    const texts = (): string[] => JSON.parse(list);
    values[index] = `{${type === 'bigint' ? list.slice(1, -1) : texts().map(quoted).join()}}`;
  }
  return values;
}

const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

export type Answer = pg.QueryArrayResult<SqlValue[]>;

interface ConnectionOptions {
  keys: Keys;
  /** Statement counter of all connections of a storage. */
  sent: { statements: number };
  knownSchema: number;
  /** Uses named prepared statements. Default true. */
  isPreparing?: boolean;
}

export class PostgresConnection extends Statements implements Connection {
  readonly dialect = postgresDialect;
  /** Locks. They are held until the commit. */
  readonly concurrency: Concurrency = {
    serializeAppends: () => {
      if (!this.#holdsLog) this.#lock(this.#options.keys.appends);
      this.#holdsLog = true;
    },
    serializeReader: (userId) => this.#lock(this.#options.keys.reader(userId)),
    announceDueWork: () => {
      this.hasDueWork = true;
    },
  };
  readonly #client: pg.PoolClient;
  readonly knownSchema: number;
  readonly #options: ConnectionOptions;
  /** The first error in this transaction. The statements after it fail without a reason. */
  refusal: unknown;
  #answers: SnapshotAnswers<Answer> | undefined;
  /** Has requested the lock of the log. */
  #holdsLog = false;
  /** This transaction has added due work. */
  hasDueWork = false;

  constructor(client: pg.PoolClient, options: ConnectionOptions) {
    super();
    this.#client = client;
    this.knownSchema = options.knownSchema;
    this.#options = options;
  }

  async many<T>(shape: RowShape<T>, sql: string, params?: readonly SqlValue[], options?: Sending): Promise<T[]> {
    const { rows, fields } = await this.#send(sql, params, options);
    return rows.map(shape.reader(namesOf(fields)));
  }

  async one<T>(
    shape: RowShape<T>,
    sql: string,
    params?: readonly SqlValue[],
    options?: Sending,
  ): Promise<T | undefined> {
    const { rows, fields } = await this.#send(sql, params, options);
    return rows[0] && shape.reader(namesOf(fields))(rows[0]);
  }

  async run(sql: string, params?: readonly SqlValue[], options?: Sending): Promise<number> {
    return (await this.#send(sql, params, options)).rowCount ?? 0;
  }

  /**
   * Starts the next transaction, without locks.
   * @param answers cache of a read transaction
   */
  begin(text: string, answers?: SnapshotAnswers<Answer>): Promise<unknown> {
    this.#answers = answers;
    this.#holdsLog = false;
    this.hasDueWork = false;
    this.refusal = undefined;
    return send(this.#client, text);
  }

  /** Not awaited: the server executes statements in order, and not waiting makes the transaction shorter. */
  #lock(key: string): void {
    this.#send('SELECT pg_advisory_xact_lock(CAST(? AS bigint))', [key]).catch(() => undefined);
  }

  #send(sql: string, params: readonly SqlValue[] = [], options?: Sending): Promise<Answer> {
    const send = () => this.#sendNow(sql, params, options);
    return this.#answers?.answer(sql, params, send) ?? send();
  }

  #sendNow(sql: string, params: readonly SqlValue[], { once = false }: Sending = {}): Promise<Answer> {
    this.#options.sent.statements++;
    const { name, text, arrays } = once ? unprepared(sql) : prepared(sql);
    const answer = send(this.#client, {
      name: (this.#options.isPreparing ?? true) ? name : undefined,
      text,
      values: withArrays(params, arrays),
      types: rowTypes,
      rowMode: 'array',
    });
    answer.catch((error: unknown) => {
      this.refusal ??= error;
    });
    return answer;
  }
}

function namesOf(fields: readonly pg.FieldDef[]): string[] {
  return fields.map((field) => field.name);
}
