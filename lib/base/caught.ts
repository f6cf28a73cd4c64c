/** What `catch` has caught, as an error. */
export const errorOf = (caught: unknown): Error => (caught instanceof Error ? caught : new Error(String(caught)));

/** The code of an error of Node or of a driver, such as `ENOENT`. */
export function codeOf(caught: unknown): string | undefined {
  if (typeof caught !== 'object' || caught === null || !('code' in caught)) return undefined;
  return typeof caught.code === 'string' ? caught.code : undefined;
}
