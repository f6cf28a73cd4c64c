import { present } from '../../base/present.ts';
import type { EventDraft } from '../interface/events.ts';
import type { Dialect } from './dialect.ts';

export type SqlValue = string | number | null | Uint8Array;
export type Row = Record<string, SqlValue>;

/** Converts rows. `reader` is called once with the columns, and its result for each row. */
export interface RowShape<T> {
  reader(columns: readonly string[]): (values: readonly SqlValue[]) => T;
}

/** Rows as objects, by column name. `never` fits the type that the caller states for the rows. */
export const plainRow: RowShape<never> = {
  reader: (columns) => (values) => {
    const row: Row = {};
    columns.forEach((column, at) => {
      row[column] = values[at] ?? null;
    });
    return row as never;
  },
};

/** `once`: the prepared statement is not cached. Use it for texts with more variants than a connection can cache. */
export interface Sending {
  once?: boolean;
}

/** SQLite answers synchronously, PostgreSQL asynchronously. `await` accepts both. */
export type Eventually<T> = T | Promise<T>;

export const firstColumn: RowShape<never> = { reader: () => (values) => values[0] as never };

/**
 * The statements of a connection. Texts use `?` for parameters and the words of the dialect, for example `IN_IDS(?)`.
 * Every text is prepared once and cached, unless `once` is set. Always use the same shape for a text: reads in a
 * thread share the records of the same pending statement.
 */
export abstract class Statements {
  abstract many<T>(shape: RowShape<T>, sql: string, params?: readonly SqlValue[], options?: Sending): Eventually<T[]>;
  /** Returns the first record. */
  abstract one<T>(
    shape: RowShape<T>,
    sql: string,
    params?: readonly SqlValue[],
    options?: Sending,
  ): Eventually<T | undefined>;
  /** Returns the number of rows changed. */
  abstract run(sql: string, params?: readonly SqlValue[], options?: Sending): Eventually<number>;

  /** Returns rows as objects. */
  all<R = Row>(sql: string, params?: readonly SqlValue[], options?: Sending): Eventually<R[]> {
    return this.many<R>(plainRow, sql, params, options);
  }

  /** Returns the first row as an object. */
  get<R = Row>(sql: string, params?: readonly SqlValue[], options?: Sending): Eventually<R | undefined> {
    return this.one<R>(plainRow, sql, params, options);
  }

  /** Returns the first column of all rows. */
  column<V extends SqlValue = number>(sql: string, params?: readonly SqlValue[]): Eventually<V[]> {
    return this.many<V>(firstColumn, sql, params);
  }

  /** Returns the first column of the first row. undefined for NULL, and without a row. */
  async value<V extends SqlValue = number>(
    sql: string,
    params?: readonly SqlValue[],
    options?: Sending,
  ): Promise<V | undefined> {
    return (await this.one<V>(firstColumn, sql, params, options)) ?? undefined;
  }

  /** Inserts one row and returns its key. The text must end in `RETURNING` the key. */
  async insert(sql: string, params?: readonly SqlValue[]): Promise<number> {
    return present(await this.value<number>(sql, params));
  }

  /** Returns the IDs of an `ID_LIST`, in no order. */
  async idList(sql: string, params?: readonly SqlValue[], options?: Sending): Promise<number[]> {
    return readIds(await this.value<string>(sql, params, options));
  }
}

/** A connection of either engine. */
export interface Connection extends Statements {
  readonly dialect: Dialect;
  /** The newest migration that this process knows. */
  readonly knownSchema: number;
  /**
   * Only on SQLite, where a row needs no round trip: inserts rows one by one, as one statement, and returns their keys.
   * The text must end in `RETURNING` the key.
   */
  readonly insertEach?: ((sql: string, rows: readonly (readonly SqlValue[])[]) => number[]) | undefined;
  /** Only if writers run concurrently. */
  readonly concurrency?: Concurrency | undefined;
  /** Only on SQLite. */
  readonly keptWords?: KeptWords | undefined;
  /** Only if the work continues with expected versions before the database has answered. */
  readonly foresee?: Foresee | undefined;
}

/** The IDs of an `ID_LIST`. Without rows, it is NULL on PostgreSQL and empty on SQLite. */
export function readIds(list: string | null | undefined): number[] {
  return JSON.parse(list ?? '[]');
}

/** Ascending. Most lists come in order, and sorting a long one costs as much as finding it. */
export function inOrder(ids: number[]): number[] {
  for (let at = 1; at < ids.length; at++) {
    if (present(ids[at - 1]) > present(ids[at])) return ids.sort((a, b) => a - b);
  }
  return ids;
}

/** Locks between concurrent writers. */
export interface Concurrency {
  /**
   * Blocks other transactions from adding messages or events until this one ends. So IDs and log positions are in
   * commit order: a reader who sees one sees all before it.
   */
  serializeAppends(): Eventually<void>;
  /**
   * Blocks other transactions that change the read state or the stored items of this user until this one ends, since
   * each reads before it writes.
   */
  serializeReader(userId: number): Eventually<void>;
  /** Notifies other processes of due work, with the commit. */
  announceDueWork(): void;
  /** Appends events and waits neither for the lock of the log nor for the answer. The commit waits. */
  appendEvents?(drafts: readonly EventDraft[], nowMs: number): void;
}

/** Known words that a connection remembers at most. */
const MAX_KEPT_WORDS = 50_000;

/** Words that are certainly in the table of known words, so that a connection does not write them again. */
export class KeptWords {
  readonly #words = new Set<string>();
  #usersVersion: number | undefined;

  /** Call it at the start of a transaction: an erasure in another process may have removed words. */
  check(usersVersion: number): void {
    if (usersVersion !== this.#usersVersion) this.clear();
    this.#usersVersion = usersVersion;
  }

  has(word: string): boolean {
    return this.#words.has(word);
  }

  add(words: readonly string[]): void {
    if (this.#words.size + words.length > MAX_KEPT_WORDS) this.clear();
    for (const word of words) this.#words.add(word);
  }

  /** Call it after a rollback. */
  clear(): void {
    this.#words.clear();
  }
}

/** Returns expected versions. Calls `answered` when the database has answered, and compares before the commit. */
export type Foresee = <T>(load: () => Promise<T>, answered?: () => void) => Promise<T>;

/** Kept answers of a read transaction. The oldest one makes room for the next. */
const MAX_KEPT_ANSWERS = 100;

/** For read transactions: sends no statement again that is pending or has a kept answer. */
export class SnapshotAnswers<A> {
  readonly #answers = new Map<string, Promise<A>>();
  readonly #isKept: (answer: A) => boolean;

  /** @param isKept whether an answer is kept until the transaction ends. Only if callers cannot change it. */
  constructor(isKept: (answer: A) => boolean = () => false) {
    this.#isKept = isKept;
  }

  answer(sql: string, params: readonly SqlValue[], send: () => Promise<A>): Promise<A> {
    const query = JSON.stringify([sql, params]);
    const known = this.#answers.get(query);
    if (known) return known;
    const answer = send();
    this.#answers.set(query, answer);
    const forget = () => void this.#answers.delete(query);
    answer.then((found) => this.#isKept(found) || forget(), forget);
    if (this.#answers.size > MAX_KEPT_ANSWERS) this.#answers.delete(present(this.#answers.keys().next().value));
    return answer;
  }
}
