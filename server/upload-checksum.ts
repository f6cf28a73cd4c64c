import { createHash, type Hash, timingSafeEqual } from 'node:crypto';
import { BadRequest, ContentPlaces, ServiceUnavailable } from '../lib/internal.ts';
import { arrivingBody } from './arriving-body.ts';
import { RequestTimeout } from './body-stream.ts';
import type { ServerRequest } from './exchange.ts';

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
  readonly #bodyMs: number;

  constructor(bodyMs = BODY_MS) {
    this.#bodyMs = bodyMs;
  }

  /**
   * The content of a request. It is read only on demand. If the request has a checksum, the content comes in one piece
   * after verification. Reading it throws BadRequest (460 for a wrong checksum, 413, or 423 if the account sends too
   * many in parallel), ServiceUnavailable or RequestTimeout.
   * @throws BadRequest
   */
  of(req: ServerRequest, userId: number | null): AsyncIterable<Uint8Array> {
    const checksum = checksumOf(req);
    const content = arrivingBody(req);
    if (!checksum) return content;
    if (Number(req.headers['content-length'] ?? 0) > MAX_CHECKED) throw tooLarge();
    return { [Symbol.asyncIterator]: () => this.#checked(content[Symbol.asyncIterator](), checksum, userId) };
  }

  /** Not a generator: a generator cannot be stopped while it waits for a piece. */
  #checked(pieces: AsyncIterator<Uint8Array>, checksum: Checksum, userId: number | null): AsyncIterator<Uint8Array> {
    let leave: (() => void) | undefined;
    let isRead = false;
    const end = (): IteratorReturnResult<undefined> => {
      leave?.();
      leave = undefined;
      return { done: true, value: undefined };
    };
    return {
      next: async () => {
        if (isRead) return end();
        isRead = true;
        leave = this.#enter(userId);
        const whole = this.#whole(pieces, checksum);
        whole.catch(end);
        return { done: false, value: await whole };
      },
      return: async () => {
        await pieces.return?.();
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

  async #whole(pieces: AsyncIterator<Uint8Array>, { hash, given }: Checksum): Promise<Uint8Array> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      void pieces.return?.();
    }, this.#bodyMs);
    try {
      const whole = await gathered(pieces);
      if (isLate) throw new RequestTimeout();
      const right = hash.update(whole).digest();
      if (given.length !== right.length || !timingSafeEqual(given, right)) {
        throw new BadRequest('The checksum does not match the content.', undefined, 460);
      }
      return whole;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Copies into one buffer: a list of one-byte pieces would take a hundred times the memory. */
async function gathered(pieces: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let whole = Buffer.allocUnsafeSlow(64 * 1024);
  let size = 0;
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    const end = size + next.value.length;
    if (end > MAX_CHECKED) throw tooLarge();
    if (end > whole.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(MAX_CHECKED, Math.max(end, whole.length * 2)));
      whole.copy(larger, 0, 0, size);
      whole = larger;
    }
    whole.set(next.value, size);
    size = end;
  }
  return whole.subarray(0, size);
}

function checksumOf(req: ServerRequest): Checksum | undefined {
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
