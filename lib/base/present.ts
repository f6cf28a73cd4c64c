/**
 * Returns a value that the surrounding code guarantees, such as the first element of a list that is not empty.
 * @throws Error if it is missing
 */
export function present<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new Error('A value is missing that must exist here.');
  return value;
}
