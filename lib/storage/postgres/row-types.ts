import type pg from 'pg';
import type { SqlValue } from '../sql/connection.ts';

const asText = (text: string): SqlValue => text;

/** SQLite answers comparisons with 1 and 0, so PostgreSQL does too. */
const asFlag = (text: string): SqlValue => (text === 't' ? 1 : 0);

const asBytes = (text: string): SqlValue => Buffer.from(text.slice(2), 'hex');

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

/** Handed over with every query: pg's own parsers are global, and belong to the host's program. */
export const rowTypes = { getTypeParser: parserOf } as unknown as pg.CustomTypesConfig;
