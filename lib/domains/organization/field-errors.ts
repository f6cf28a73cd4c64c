import { BadRequest } from '../../kernel/errors.ts';

/** What is wrong with one field of a record; `__all__` for what concerns several of them. */
export type FieldError = readonly [field: string, text: string];

/** Throws if there are any: the first is the message, and `errors` has all of them by field. */
export function checkNoErrors(found: readonly FieldError[]): void {
  const [first] = found;
  if (!first) return;
  const errors: Record<string, string[]> = {};
  for (const [field, text] of found) errors[field] = [...(errors[field] ?? []), text];
  throw new BadRequest(first[1], { errors });
}
