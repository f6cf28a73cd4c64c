/**
 * A value that exists, as the code around it ensures: the first element of a list that is not empty, or the record of an
 * ID that was just read. Throws if it does not, instead of going on with `undefined`.
 */
export function present<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new Error('A value is missing that must exist here.');
  return value;
}
