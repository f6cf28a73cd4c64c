import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { BadRequest, ChunkList } from '../lib/internal.ts';

/** The parts of a request that readers of its body use. */
type BodyRequest = Readable & Pick<IncomingMessage, 'headers' | 'complete'>;

/** Bytes above the limit that are read and discarded, so that the client gets to read the error. */
export const MAX_DRAINED = 32 * 1024 * 1024;
/** Milliseconds to read the rest of a failed request. */
export const DRAIN_MS = 10_000;
/** Milliseconds to wait for the next bytes, or for the whole body of an ordinary request. */
export const BODY_MS = 30_000;
/** Bytes to collect before they are passed on, because the pieces may be tiny. */
const HANDED_OVER = 64 * 1024;

/** Announced bytes of the body. */
export const lengthOf = ({ headers }: BodyRequest) => Number(headers['content-length'] ?? 0);

export const hasBody = (req: BodyRequest) => req.headers['transfer-encoding'] !== undefined || lengthOf(req) > 0;

/** The `Content-Type` without parameters. Empty without the header. */
export const mediaTypeOf = ({ headers }: BodyRequest) =>
  (headers['content-type'] ?? '').replace(/;.*/s, '').trim().toLowerCase();

/** @throws BadRequest 415 */
export function checkUncompressed({ headers: { 'content-encoding': encoding = '' } }: BodyRequest): void {
  if (/^(?:identity)?$/i.test(encoding)) return;
  const problem = `The Content-Encoding "${encoding.slice(0, 100)}" is not supported. Send the body without it.`;
  throw new BadRequest(problem, undefined, 415);
}

/** 413. The connection closes after the response. */
export class BodyTooLarge extends BadRequest {
  constructor(limit: number) {
    super(`The request body is too large (limit: ${limit} bytes).`, undefined, 413);
  }
}

/** A file above the limit is a 400 like other errors. 413 is for the form itself. */
export class FileTooLarge extends BadRequest {
  constructor(maxBytes: number) {
    super(`The file is too large (limit: ${maxBytes / 1024 / 1024} MiB).`);
  }
}

/** 408: the body did not arrive in time. */
export class RequestTimeout extends BadRequest {
  constructor() {
    super('The request did not arrive in time.', undefined, 408);
  }
}

/** The client disconnected before the request was complete. No response is sent. */
export class ClientGone extends Error {}

/**
 * Reads and discards the rest of a request, so that a client that is still sending can read the response. Stops after
 * `MAX_DRAINED` bytes. Reads nothing if the body is much longer.
 */
export async function drain(req: BodyRequest): Promise<void> {
  if (req.complete || lengthOf(req) > 2 * MAX_DRAINED) return;
  let size = 0;
  try {
    for await (const piece of arrivingBody(req, DRAIN_MS)) {
      size += piece.length;
      if (size > MAX_DRAINED) return;
    }
  } catch {
    // The client is gone or too slow.
  }
}

/** Cuts the connection if the rest of a request does not arrive soon after its response. Clients may never send it. */
export function cutWithoutRest(req: IncomingMessage, res: ServerResponse): void {
  if (!hasBody(req)) return;
  res.once('finish', () => {
    const cut = () => {
      if (!req.complete) req.socket.destroy();
    };
    if (!req.complete) setTimeout(cut, DRAIN_MS).unref();
  });
}

/** A body that is read in pieces. `return` ends the wait for a piece. */
export interface ArrivingBody extends AsyncIterableIterator<Uint8Array> {
  return(): Promise<IteratorResult<Uint8Array>>;
}

/**
 * The body of a request in pieces, read on demand. `return` also works while it waits for a piece, so that the rest of a
 * refused request can be drained. The stream's own iterator and generators cannot do this.
 * @param wholeMs milliseconds for the whole body. Default: no limit, but each piece must arrive in 30 seconds.
 * @throws ClientGone if the request breaks off, RequestTimeout
 */
export function arrivingBody(req: BodyRequest, wholeMs?: number): ArrivingBody {
  const lateAt = wholeMs === undefined ? undefined : performance.now() + wholeMs;
  const END = { done: true, value: undefined } as const;
  let leave: (() => void) | undefined;
  return {
    next: () =>
      new Promise((resolve, reject) => {
        const settle = (then: () => void) => {
          clearTimeout(timer);
          req.off('data', onData).off('end', onEnd).off('error', onEnd).off('close', onEnd).pause();
          leave = undefined;
          then();
        };
        const onData = (value: Buffer) => settle(() => resolve({ done: false, value }));
        const onEnd = () => settle(() => (req.readableEnded ? resolve(END) : reject(new ClientGone())));
        const timer = setTimeout(
          () => settle(() => reject(new RequestTimeout())),
          lateAt === undefined ? BODY_MS : lateAt - performance.now(),
        );
        leave = () => settle(() => resolve(END));
        if (req.readableEnded || req.destroyed) onEnd();
        else req.on('data', onData).on('end', onEnd).on('error', onEnd).on('close', onEnd).resume();
      }),
    return: async () => {
      leave?.();
      return END;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Joins tiny pieces to save memory. */
export async function* joined(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gathered = new ChunkList();
  for await (const piece of pieces) {
    gathered.add(piece);
    if (gathered.size >= HANDED_OVER) yield* gathered.take();
  }
  yield* gathered.take();
}
