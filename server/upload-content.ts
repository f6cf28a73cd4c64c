import { createHash, type Hash, timingSafeEqual } from 'node:crypto';
import { BadRequest, ChunkList, ContentPlaces, ServiceUnavailable } from '../lib/internal.ts';
import { type ArrivingBody, arrivingBody, type BodyRequest, lengthOf } from './body-stream.ts';

/** Names as in the tus protocol. */
export const CHECKSUM_ALGORITHMS: readonly string[] = ['md5', 'sha1', 'sha256'];

/** Maximum bytes of a request with a checksum. It stays in memory until the checksum is verified. */
const MAX_CHECKED = 8 * 1024 * 1024;
/** Milliseconds for the whole request to arrive. */
const BODY_MS = 60_000;

interface Checksum {
  hash: Hash;
  given: Buffer;
}

/** Verifies the checksums of request bodies. Limits the memory for bodies with a checksum. */
export class CheckedContents {
  readonly #places = new ContentPlaces();

  constructor(private readonly bodyMs = BODY_MS) {}

  /**
   * The content of a request. It is read only on demand. If the request has a checksum, the content comes after
   * verification. Reading it throws BadRequest (460 for a wrong checksum, 413, or 423 if the account sends too
   * many in parallel), ServiceUnavailable or RequestTimeout.
   * @throws BadRequest
   */
  of(req: BodyRequest, userId: number | null): AsyncIterable<Uint8Array> {
    const checksum = checksumOf(req);
    if (!checksum) return arrivingBody(req);
    if (lengthOf(req) > MAX_CHECKED) throw tooLarge();
    const body = arrivingBody(req, this.bodyMs);
    return { [Symbol.asyncIterator]: () => this.#checked(body, checksum, userId) };
  }

  /** Not a generator: a generator cannot be stopped while it waits for a piece. */
  #checked(body: ArrivingBody, checksum: Checksum, userId: number | null): AsyncIterator<Uint8Array> {
    let leave: (() => void) | undefined;
    let verified: Uint8Array[] | undefined;
    const end = (): IteratorReturnResult<undefined> => {
      leave?.();
      leave = undefined;
      return { done: true, value: undefined };
    };
    return {
      next: async () => {
        if (!verified) {
          leave = this.#enter(userId);
          const reading = readVerified(body, checksum);
          reading.catch(end);
          verified = await reading;
        }
        const value = verified.shift();
        return value ? { done: false, value } : end();
      },
      return: async () => {
        await body.return();
        return end();
      },
    };
  }

  /** Takes a place in memory. Returns the function that frees it. */
  #enter(userId: number | null): () => void {
    const leave = this.#places.take(userId);
    if (leave) return leave;
    if (this.#places.isFullFor(userId)) {
      const message =
        'Your other uploads with a checksum are still arriving. Wait for them, then send this request again.';
      throw new BadRequest(message, undefined, 423);
    }
    throw new ServiceUnavailable('The server receives too many uploads with a checksum at the moment.', 5);
  }
}

async function readVerified(body: ArrivingBody, { hash, given }: Checksum): Promise<Uint8Array[]> {
  // Tiny pieces are joined: each would take a hundred times its memory.
  const content = new ChunkList();
  for await (const piece of body) {
    if (content.size + piece.length > MAX_CHECKED) throw tooLarge();
    content.add(piece);
    hash.update(piece);
  }
  const right = hash.digest();
  if (given.length !== right.length || !timingSafeEqual(given, right)) {
    throw new BadRequest('The checksum does not match the content.', undefined, 460);
  }
  return content.take();
}

function checksumOf(req: BodyRequest): Checksum | undefined {
  const header = req.headers['upload-checksum'];
  if (header === undefined) return undefined;
  const [algorithm = '', encoded = '', ...more] = String(header).split(' ');
  if (!CHECKSUM_ALGORITHMS.includes(algorithm) || more.length > 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) {
    throw new BadRequest(
      `Upload-Checksum must be one of ${CHECKSUM_ALGORITHMS.join(', ')}, a space, and the checksum in base64.`,
    );
  }
  return { hash: createHash(algorithm), given: Buffer.from(encoded, 'base64') };
}

const tooLarge = () =>
  new BadRequest(`A request with a checksum may have at most ${MAX_CHECKED} bytes.`, undefined, 413);
