import { createHash, timingSafeEqual } from 'node:crypto';
import { BadRequest } from '../lib/internal.ts';
import type { ServerRequest } from './exchange.ts';

/** As the protocol names them. */
export const CHECKSUM_ALGORITHMS: readonly string[] = ['md5', 'sha1', 'sha256'];

/** Bytes of a request whose checksum is given: it is in memory until all of it proved right. */
const MAX_CHECKED = 8 * 1024 * 1024;

/**
 * The content of a request; where the request gives its checksum, not before all of it has come and proved right.
 * @throws BadRequest, with 460 where it is another content
 */
export async function checkedContent(
  req: ServerRequest,
  content: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array>> {
  const header = req.headers['upload-checksum'];
  if (header === undefined) return content;
  const [algorithm = '', encoded = '', ...more] = String(header).split(' ');
  if (!CHECKSUM_ALGORITHMS.includes(algorithm) || more.length > 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) {
    throw new BadRequest(`Upload-Checksum has to be one of ${CHECKSUM_ALGORITHMS.join(', ')} and the sum in base64.`);
  }
  const hash = createHash(algorithm);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    if (size > MAX_CHECKED) {
      throw new BadRequest(`With a checksum, a request takes ${MAX_CHECKED} bytes at most.`, undefined, 413);
    }
    hash.update(piece);
    pieces.push(piece);
  }
  const [given, right] = [Buffer.from(encoded, 'base64'), hash.digest()];
  if (given.length !== right.length || !timingSafeEqual(given, right)) {
    throw new BadRequest('What arrived has another checksum.', undefined, 460);
  }
  return inTurn(pieces);
}

async function* inTurn(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
