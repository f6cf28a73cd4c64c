import type { Conditions } from './conditions.ts';
import type { Connection } from './connection.ts';
import { readIds } from './id-list.ts';
import { type Page, type Statement, wordsOf } from './message-query.ts';

export interface LookedAt {
  /** How many messages were looked at, and the last of them in the page's order. */
  examined: number;
  last: number | null;
  /** Those that fit, at most as many as the page takes. */
  ids: number[];
}

/**
 * Looks at messages `near`, ids in the page's order, for those that fit: no more are asked about than fill the page.
 * The conditions know the ids as the table `near`. `once`: the text does not come up again.
 */
export async function lookAt(
  connection: Connection,
  near: Statement,
  conditions: Conditions,
  page: Page,
  { once = true } = {},
): Promise<LookedAt> {
  const { order, furthest } = wordsOf(page);
  // SQLite goes through what was looked at in the order in which it came; told to sort, it would ask about all of it.
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
  return { examined: row?.examined ?? 0, last: row?.last ?? null, ids: readIds(row) };
}

/** Messages of these ids, to be looked at in the page's order. */
export function someIds(ids: readonly number[], page: Page): Statement {
  return {
    text: `SELECT p.a AS id FROM PAIRS(?) AS p ORDER BY p.a ${wordsOf(page).order}`,
    params: [JSON.stringify(ids.map((id) => [id, 0]))],
  };
}
