/**
 * Passes on the pieces of a request body and calls `onPiece` for each. Calls `onFailure` only for errors of reading
 * the content: a broken connection is thrown into this generator too.
 */
export async function* outgoingPieces(
  content: AsyncIterable<Uint8Array>,
  onPiece: () => unknown,
  onFailure: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  const pieces = content[Symbol.asyncIterator]();
  const next = async () => {
    try {
      return await pieces.next();
    } catch (error) {
      onFailure(error);
      throw error;
    }
  };
  try {
    for (let piece = await next(); !piece.done; piece = await next()) {
      onPiece();
      yield piece.value;
    }
    onPiece();
  } finally {
    await pieces.return?.();
  }
}
