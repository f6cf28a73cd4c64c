import type { SqlValue } from './connection.ts';

/** A record's field as a column's value: booleans are integers and structures JSON text. */
export function toColumn(value: unknown): SqlValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === undefined) return null;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return value as SqlValue;
}

/** `column = ?, …` for the fields a patch carries, in a fixed order so that few texts arise. */
export function assignments<Field extends string>(
  patch: { readonly [field in Field]?: unknown },
  fields: readonly Field[],
): { text: string; params: SqlValue[] } {
  const present = fields.filter((field) => patch[field] !== undefined);
  return {
    text: present.map((field) => `${field} = ?`).join(', '),
    params: present.map((field) => toColumn(patch[field])),
  };
}
