/**
 * The pieces of what is sent, each noted as it is taken. Only what reading them fails with is told to `onFailure`: a
 * connection that breaks off is thrown into them too.
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
