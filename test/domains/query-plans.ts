import type { Row } from '../../lib/storage/sql/connection.ts';
import { SqliteConnection } from '../../lib/storage/sqlite/connection.ts';

const METHODS = ['all', 'get', 'many', 'one', 'insert', 'run'] as const;

/** Texts of the SQLite statements that this process runs during the work. */
export async function statementsOf<T>(work: () => Promise<T>): Promise<{ value: T; texts: Set<string> }> {
  const texts = new Set<string>();
  const prototype = SqliteConnection.prototype as unknown as Record<string, (...given: unknown[]) => unknown>;
  const originals = METHODS.map((name) => [name, prototype[name] as (...given: unknown[]) => unknown] as const);
  for (const [name, original] of originals) {
    prototype[name] = function (this: SqliteConnection, ...given: unknown[]) {
      texts.add(given.find((one) => typeof one === 'string') as string);
      return original.apply(this, given);
    };
  }
  try {
    return { value: await work(), texts };
  } finally {
    for (const [name, original] of originals) prototype[name] = original;
  }
}

const plans = new Map<string, readonly string[]>();

/** As `tablesScanned`, computed once for each text. */
export function knownTablesScanned(connection: SqliteConnection, text: string): readonly string[] {
  const known = plans.get(text) ?? tablesScanned(connection, text);
  plans.set(text, known);
  return known;
}

/**
 * Tables that a statement scans, by the query plan of SQLite. A scan of a partial index with few rows does not count. A
 * table that the statement does not name counts only if it has broken a reference.
 */
export function tablesScanned(connection: SqliteConnection, text: string): string[] {
  const known = connection.all<Row>("SELECT type, name, sql FROM sqlite_schema WHERE type IN ('table', 'index')");
  const tables = new Set(known.filter(({ type }) => type === 'table').map(({ name }) => name));
  const partial = new Set(known.filter(({ sql }) => / WHERE /.test(String(sql))).map(({ name }) => name));
  const parameters = Array(connection.dialect.query(text).split('?').length - 1).fill(null);
  const plan = connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, parameters);
  return plan.flatMap(({ detail }) => {
    // A full-text table is searched by row ID (`=`) and word (`M`). Other access is a scan.
    if (/^SCAN \w+ VIRTUAL TABLE INDEX \d+:\S/.test(detail)) return [];
    const [, scanned, index] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(detail) ?? [];
    if (scanned === undefined || (index !== undefined && partial.has(index))) return [];
    const named = new RegExp(`\\b(?:FROM|JOIN|UPDATE|INTO)\\s+(\\w+)(?:\\s+(?:AS\\s+)?${scanned})?\\b`, 'g');
    const [table] = [...text.matchAll(named)]
      .filter(([whole, name]) => name === scanned || whole.endsWith(` ${scanned}`))
      .map(([, name]) => name as string)
      .filter((name) => tables.has(name));
    return table === undefined ? [] : [table];
  });
}
