import { createHash, type Hash, timingSafeEqual } from 'node:crypto';
import { BadRequest, ContentPlaces, ServiceUnavailable } from '../lib/internal.ts';
import { arrivingBody } from './arriving-body.ts';
import { RequestTimeout } from './body-stream.ts';
import type { ServerRequest } from './exchange.ts';

/** As the protocol names them. */
export const CHECKSUM_ALGORITHMS: readonly string[] = ['md5', 'sha1', 'sha256'];

/** Bytes of a request whose checksum is given: it is in memory until all of it proved right. */
const MAX_CHECKED = 8 * 1024 * 1024;
/** Milliseconds in which all of one has to arrive. */
const BODY_MS = 60_000;

interface Checksum {
  hash: Hash;
  given: Buffer;
}

/** The contents of requests, of which those whose checksum is given need room in memory. */
export class CheckedContents {
  readonly #places = new ContentPlaces();
  readonly #bodyMs: number;

  constructor(bodyMs = BODY_MS) {
    this.#bodyMs = bodyMs;
  }

  /**
   * The content of a request, of which nothing is read before it is asked for. Where the request gives its checksum, it
   * comes when all of it is there and proved right: reading it throws BadRequest, with 460 where it is another content,
   * 413, or 423 while too many of the account are arriving; ServiceUnavailable, RequestTimeout.
   * @throws BadRequest
   */
  of(req: ServerRequest, userId: number | null): AsyncIterable<Uint8Array> {
    const checksum = checksumOf(req);
    const content = arrivingBody(req);
    if (!checksum) return content;
    if (Number(req.headers['content-length'] ?? 0) > MAX_CHECKED) throw tooLarge();
    return { [Symbol.asyncIterator]: () => this.#checked(content[Symbol.asyncIterator](), checksum, userId) };
  }

  /** Not a generator: that one cannot be left while it waits for a piece. */
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

  /** Returns what makes the room free again. */
  #enter(userId: number | null): () => void {
    const leave = this.#places.take(userId);
    if (leave) return leave;
    if (this.#places.isFullFor(userId)) {
      const message = 'Several requests of yours with a checksum are arriving; send this one after them.';
      throw new BadRequest(message, undefined, 423);
    }
    throw new ServiceUnavailable('Too many requests with a checksum are arriving.', 5);
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
        throw new BadRequest('What arrived has another checksum.', undefined, 460);
      }
      return whole;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** In one piece: pieces of a byte each would take a hundred times what is in them. */
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
    throw new BadRequest(`Upload-Checksum has to be one of ${CHECKSUM_ALGORITHMS.join(', ')} and the sum in base64.`);
  }
  return { hash: createHash(algorithm), given: Buffer.from(encoded, 'base64') };
}

const tooLarge = () => new BadRequest(`With a checksum, a request takes ${MAX_CHECKED} bytes at most.`, undefined, 413);
