import type { EventDraft } from '../interface/event-log.ts';
import type { Dialect } from './dialect.ts';

export type SqlValue = string | number | null | Buffer;
export type Row = Record<string, SqlValue>;

/** Makes something of the values of a row, once it knows their columns. */
export interface RowShape<T> {
  reader(columns: readonly string[]): (values: readonly SqlValue[]) => T;
}

/** Rows as they come, by the names of their columns. */
export const plainRow: RowShape<Row> = {
  reader: (columns) => (values) => {
    const row: Row = {};
    for (let at = 0; at < columns.length; at++) row[columns[at] as string] = values[at] as SqlValue;
    return row;
  },
};

/**
 * `once`: the text does not come up again, and is not kept. Said of every text that callers put together in more
 * ways than a connection can keep statements for.
 */
export interface Sending {
  once?: boolean;
}

/** SQLite answers at once, PostgreSQL later; `await` takes both. */
export type Eventually<T> = T | Promise<T>;

/**
 * One connection of one engine. Texts use `?` for parameters and the words of the dialect
 * (`IN_IDS(?)` and the like); every text is prepared once and kept, unless it is said to come up only once.
 * A text is always asked for in the same shape.
 */
export interface Connection {
  readonly dialect: Dialect;
  /** The newest migration that this process knows. */
  readonly knownSchema: number;
  /** Statements sent so far; tests assert that an operation's number does not grow with the data. */
  statements: number;
  /** The records that a statement finds. */
  many<T>(shape: RowShape<T>, sql: string, params?: readonly SqlValue[], options?: Sending): Eventually<T[]>;
  /** The first of them. */
  one<T>(shape: RowShape<T>, sql: string, params?: readonly SqlValue[], options?: Sending): Eventually<T | undefined>;
  /** Rows that are no records. */
  all<R = Row>(sql: string, params?: readonly SqlValue[], options?: Sending): Eventually<R[]>;
  get<R = Row>(sql: string, params?: readonly SqlValue[], options?: Sending): Eventually<R | undefined>;
  /** For one row and a text that ends in `RETURNING` its integer key: returns that key. */
  insert(sql: string, params?: readonly SqlValue[]): Eventually<number>;
  /** Returns the number of rows changed. */
  run(sql: string, params?: readonly SqlValue[], options?: Sending): Eventually<number>;
  /** Where writers run side by side. */
  readonly concurrency?: Concurrency | undefined;
  /** Words that are surely known to the index already; forgotten whenever something is rolled back. */
  readonly keptWords?: Set<string> | undefined;
  /** Where several pieces of work share a transaction: looks up once for all of them what none of them changes. */
  readonly once?: LookUpOnce | undefined;
  /** Where the work goes on with the versions that are expected, before the database has answered. */
  readonly foresee?: Foresee | undefined;
}

/** What writers that run side by side need of each other. */
export interface Concurrency {
  /**
   * Holds back others who would add messages or events until this transaction ends, so that ids and places
   * in the log are given in the order of commits: whoever sees one sees all before it.
   */
  serializeAppends(): Eventually<void>;
  /**
   * Holds back other transactions that change what this user has read, or keeps, until this one ends: each looks at
   * what is there before it writes.
   */
  serializeReader(userId: number): Eventually<void>;
  /** With the commit, other processes are told to look for due work. */
  announceDueWork(): void;
  /** Where writes of several calls commit together: takes this call's events, so that those of all are appended at once before the commit. */
  collectEvents?(drafts: readonly EventDraft[], nowMs: number): void;
}

/** `answered` is called when the database has answered. What was expected is compared with the answer before the commit. */
export type Foresee = <T>(load: () => Promise<T>, answered?: () => void) => Promise<T>;

export type LookUpOnce = <T>(key: string, load: () => Promise<T>) => Promise<T>;

/** For a transaction in which nothing changes. */
export function lookUpOnce(): LookUpOnce {
  const known = new Map<string, Promise<unknown>>();
  return (key, load) => {
    const found = (known.get(key) as ReturnType<typeof load> | undefined) ?? load();
    known.set(key, found);
    return found;
  };
}
