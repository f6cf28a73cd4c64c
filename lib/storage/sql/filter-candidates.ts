import type { Conditions } from './conditions.ts';
import { type Connection, readIds } from './connection.ts';
import { type Page, type Statement, wordsOf } from './message-query.ts';

export interface FilterCandidates {
  /** Number of examined messages, and the last of them in page order. */
  examined: number;
  last: number | null;
  /** Matching messages, at most the size of the page. */
  ids: number[];
}

/**
 * Tests the messages `near`, IDs in page order, until the page is full. The conditions refer to the IDs as the table
 * `near`. `once`: do not cache the statement.
 */
export async function findCandidates(
  connection: Connection,
  near: Statement,
  conditions: Conditions,
  page: Page,
  { once = true } = {},
): Promise<FilterCandidates> {
  const { order, furthest } = wordsOf(page);
  // SQLite keeps the order of `near`. With ORDER BY, it would test all messages.
  const sorting = connection.dialect.name === 'sqlite' ? '' : `ORDER BY near.id ${order}`;
  const text = `SELECT examined, last, ids FROM (
    WITH near AS MATERIALIZED (${near.text})
    SELECT (SELECT COUNT(*) FROM near) AS examined, (SELECT ${furthest}(near.id) FROM near) AS last, (
      SELECT ID_LIST(f.id) FROM (
        SELECT m.id FROM near CROSS JOIN messages m WHERE m.id = near.id AND ${conditions.text}
        ${sorting} LIMIT ?) AS f) AS ids) AS found`;
  const params = [...near.params, ...conditions.params, page.limit];
  const row = await connection.get<{ examined: number; last: number | null; ids: string | null }>(text, params, {
    once,
  });
  return { examined: row?.examined ?? 0, last: row?.last ?? null, ids: readIds(row?.ids) };
}

/** These message IDs, in page order. */
export function someIds(ids: readonly number[], page: Page): Statement {
  return {
    text: `SELECT p.a AS id FROM PAIRS(?) AS p ORDER BY p.a ${wordsOf(page).order}`,
    params: [JSON.stringify(ids.map((id) => [id, 0]))],
  };
}
