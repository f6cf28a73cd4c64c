import { type Connection, firstColumn, inOrder, plainRow, type RowShape, type SqlValue } from './connection.ts';
import type { Dialect } from './dialect.ts';

/** A method of a store, as a function of the connection and the parameters of the method. */
export type Query<P extends unknown[], R> = (connection: Connection, ...params: P) => Promise<R>;

/** The methods of a store. */
export type Queries<Store> = {
  readonly [name in keyof Store]: Store[name] extends (...params: infer P) => Promise<infer R> ? Query<P, R> : never;
};

/** A parameter of a method. A list is one JSON parameter of the statement, for example of `IN_IDS(?)`. */
type SqlParam = SqlValue | readonly unknown[];

/** A text of SQL for both engines, or one for each. */
type Sql = string | Readonly<Record<Dialect['name'], string>>;

/**
 * A method that only sends a statement. `?` stands for its parameters in order, or `?2` for the second one, which may
 * occur several times or not at all. With an empty list it sends nothing and returns `empty`.
 */
function sending<R>(
  sql: Sql,
  send: (connection: Connection, text: string, params: SqlValue[]) => Promise<R>,
  empty: () => R,
): Query<SqlParam[], R> {
  const numbered = onEach((engine) => numberedText(typeof sql === 'string' ? sql : sql[engine]));
  return async (connection, ...params) => {
    if (params.some(isEmptyList)) return empty();
    const { text, places } = numbered[connection.dialect.name];
    const values = params.map((param) => (Array.isArray(param) ? JSON.stringify(param) : (param as SqlValue)));
    const placed = places.map((place) => values[place] as SqlValue);
    return send(connection, text, placed);
  };
}

/** The text with plain `?`, and the index of the parameter of each. */
function numberedText(sql: string): { text: string; places: number[] } {
  const places: number[] = [];
  const text = sql.replace(/\?(\d*)/g, (_, number: string) => {
    places.push(number ? Number(number) - 1 : places.length);
    return '?';
  });
  return { text, places };
}

const isEmptyList = (param: SqlParam) => Array.isArray(param) && param.length === 0;

/** Something for each engine. */
export function onEach<T>(of: (engine: Dialect['name']) => T): Readonly<Record<Dialect['name'], T>> {
  return { sqlite: of('sqlite'), postgres: of('postgres') };
}

const none = () => undefined;

/** All records. */
export const many = <T>(shape: RowShape<T>, sql: Sql): Query<SqlParam[], T[]> =>
  sending(
    sql,
    async (connection, text, params) => connection.many(shape, text, params),
    () => [],
  );

/** The first record. */
export const one = <T>(shape: RowShape<T>, sql: Sql) =>
  sending<T | undefined>(sql, async (connection, text, params) => connection.one(shape, text, params), none);

/** All rows, by column name. */
export const rows = <R>(sql: Sql) => many<R>(plainRow, sql);

/** The first row, by column name. */
export const row = <R>(sql: Sql) => one<R>(plainRow, sql);

/** Whether there is a row. */
export const exists = (sql: Sql) => after(one(plainRow, sql), (found) => found !== undefined);

/** The first column of all rows. */
export const column = <V extends SqlValue>(sql: Sql) => many<V>(firstColumn, sql);

/** The same for IDs, ascending. Engines promise no order of what a change returns. */
export const ids = (sql: Sql) => after(column<number>(sql), inOrder);

/** The first column of the first row. undefined for NULL, and without a row. */
export const value = (sql: Sql) => after(one<number | null>(firstColumn, sql), (found) => found ?? undefined);

/** The same, but 0 for NULL and without a row. */
export const count = (sql: Sql) => after(value(sql), (found) => found ?? 0);

/** The number of rows, and the characters of all of them. */
export const size = (characters: string, from: string) =>
  after(
    row<{ count: number; characters: number }>(
      `SELECT COUNT(*) AS count, COALESCE(SUM(${characters}), 0) AS characters FROM ${from}`,
    ),
    (found) => found ?? { count: 0, characters: 0 },
  );

/** The number of rows that the statement has changed. */
export const changed = (sql: Sql): Query<SqlParam[], number> =>
  sending(
    sql,
    async (connection, text, params) => connection.run(text, params),
    () => 0,
  );

/** Whether the statement has changed a row. */
export const changes = (sql: Sql) => after(changed(sql), (count) => count > 0);

export const run = (sql: Sql) => after(changed(sql), none);

/** A query, and then something with its result. */
export function after<P extends unknown[], R, S>(
  query: Query<P, R>,
  then: (result: R, connection: Connection) => S | Promise<S>,
): Query<P, S> {
  return async (connection, ...params) => then(await query(connection, ...params), connection);
}

/** Converts the first parameter of a query, for example to the key of a name. */
export function keyed<N, R>(
  keyOf: (name: N) => SqlParam,
  query: Query<SqlParam[], R>,
): Query<[name: N, ...SqlParam[]], R> {
  return (connection, name, ...params) => query(connection, keyOf(name), ...params);
}

/** PostgreSQL refuses texts with NUL or lone surrogates. They are stored nowhere. */
export const isStorable = (text: string) => !/[\0\p{Surrogate}]/u.test(text);

/** For lookups of texts that callers have given, perhaps of a request. */
export const findable = (texts: readonly string[]) => texts.filter(isStorable);

/** A query that first locks the stored items of the user until the transaction ends. */
export function locking<R>(query: Query<SqlParam[], R>): Query<[userId: number, ...SqlParam[]], R> {
  return async (connection, userId, ...params) => {
    if (!params.some(isEmptyList)) await connection.concurrency?.serializeReader(userId);
    return query(connection, userId, ...params);
  };
}

/** Announces background work, which may be due earlier after the query. */
export function announcing<P extends unknown[], R>(query: Query<P, R>): Query<P, R> {
  return (connection, ...params) => {
    connection.concurrency?.announceDueWork();
    return query(connection, ...params);
  };
}
