import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Connection, Row, SqlValue } from '../sql/connection.ts';
import { postgresDialect } from '../sql/dialect.ts';
import type { Keys } from './keys.ts';
import { rowTypes } from './row-types.ts';

interface PreparedText {
  name: string;
  text: string;
}

const preparedTexts = new Map<string, PreparedText>();

/**
 * The name follows from the text: a host's pool may be used by two copies of this module (ESM and
 * CommonJS), and one name for two texts would be refused.
 */
function prepared(sql: string): PreparedText {
  let found = preparedTexts.get(sql);
  if (!found) {
    const text = postgresDialect.query(sql);
    found = { name: `parlance_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`, text };
    preparedTexts.set(sql, found);
  }
  return found;
}

export class PostgresConnection implements Connection {
  readonly dialect = postgresDialect;
  readonly #client: pg.PoolClient;
  readonly #keys: Keys;
  readonly #sent: { statements: number };
  #refusal: unknown;

  /** `sent` counts for all connections of a storage. */
  constructor(client: pg.PoolClient, keys: Keys, sent: { statements: number }) {
    this.#client = client;
    this.#keys = keys;
    this.#sent = sent;
  }

  get statements(): number {
    return this.#sent.statements;
  }

  async all<R = Row>(sql: string, params?: readonly SqlValue[]): Promise<R[]> {
    return (await this.#send(sql, params)).rows as R[];
  }

  async get<R = Row>(sql: string, params?: readonly SqlValue[], { once = false } = {}): Promise<R | undefined> {
    return (await this.#send(sql, params, once)).rows[0] as R | undefined;
  }

  async insert(sql: string, params?: readonly SqlValue[]): Promise<number> {
    const { rows, fields } = await this.#send(sql, params);
    return rows[0][fields[0]?.name ?? ''] as number;
  }

  async run(sql: string, params?: readonly SqlValue[]): Promise<number> {
    return (await this.#send(sql, params)).rowCount ?? 0;
  }

  /** Held until the commit, so that whoever sees an event sees every event before it. */
  serializeAppends(): void {
    this.#lock(this.#keys.appends);
  }

  serializeReader(userId: number): void {
    this.#lock(this.#keys.reader(userId));
  }

  /** Why a lock was refused, if one was since this was asked last; the statements after it fail without saying. */
  takeRefusal(): unknown {
    const refusal = this.#refusal;
    this.#refusal = undefined;
    return refusal;
  }

  /** Not waited for: the server takes what comes after in turn, and others wait the shorter for the commit. */
  #lock(key: string): void {
    this.#send('SELECT pg_advisory_xact_lock(CAST(? AS bigint))', [key]).catch((error: unknown) => {
      this.#refusal = error;
    });
  }

  #send(sql: string, params: readonly SqlValue[] = [], once = false): Promise<pg.QueryResult> {
    this.#sent.statements++;
    const statement = once ? { text: postgresDialect.query(sql) } : prepared(sql);
    return this.#client.query({ ...statement, values: params as SqlValue[], types: rowTypes });
  }
}
