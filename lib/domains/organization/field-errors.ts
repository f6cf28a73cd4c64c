import { BadRequest } from '../../kernel/errors.ts';

/** An error of one field of a record. The field `__all__` means several fields together. */
export type FieldError = readonly [field: string, text: string];

/** Throws if there are errors. The first is the message, and `errors` contains all of them by field. */
export function checkNoErrors(found: readonly FieldError[]): void {
  const [first] = found;
  if (!first) return;
  const errors: Record<string, string[]> = {};
  for (const [field, text] of found) errors[field] = [...(errors[field] ?? []), text];
  throw new BadRequest(first[1], { errors });
}
