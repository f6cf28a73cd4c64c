/** A caught value as an error. */
export const errorOf = (caught: unknown): Error => (caught instanceof Error ? caught : new Error(String(caught)));

/** The code of an error of Node, a driver or a library, such as `ENOENT`. undefined if it has none. */
export function codeOf(caught: unknown): string | undefined {
  if (typeof caught !== 'object' || caught === null || !('code' in caught)) return undefined;
  return typeof caught.code === 'string' ? caught.code : undefined;
}
