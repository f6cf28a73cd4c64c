/**
 * The content in blocks of `bytes` bytes. Only the last one is shorter. If reading the content fails, yields the bytes
 * before the failure, then throws the error.
 */
export async function* inBlocks(content: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Buffer, undefined> {
  let block = Buffer.allocUnsafeSlow(bytes);
  let size = 0;
  let failure: { error: unknown } | undefined;
  try {
    for await (const piece of content) {
      for (let at = 0; at < piece.length; ) {
        const taken = piece.subarray(at, at + bytes - size);
        block.set(taken, size);
        size += taken.length;
        at += taken.length;
        if (size < bytes) continue;
        yield block;
        block = Buffer.allocUnsafeSlow(bytes);
        size = 0;
      }
    }
  } catch (error) {
    failure = { error };
  }
  if (size > 0) yield block.subarray(0, size);
  if (failure) throw failure.error;
}
