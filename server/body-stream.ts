import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { BadRequest, ChunkList } from '../lib/internal.ts';

/** Bytes above the limit that are read and discarded, so that the client gets to read the error. */
const MAX_DRAINED = 32 * 1024 * 1024;

/** The parts of a request that readers of its body use. */
export type BodyRequest = Readable & Pick<IncomingMessage, 'headers' | 'complete'>;

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

/** Bytes to collect before they are passed on, because the pieces may be tiny. */
export const HANDED_OVER = 64 * 1024;

/** Milliseconds for the body of an ordinary request to arrive. */
const BODY_MS = 30_000;
/** Milliseconds to read the rest of a failed request. */
const DRAIN_MS = 10_000;

/**
 * Reads and discards the rest of a request, so that a client that is still sending can read the response. Stops after
 * `MAX_DRAINED` bytes.
 */
export function drain(req: BodyRequest): Promise<void> {
  return new Promise((resolve) => {
    if (req.complete || req.destroyed) {
      resolve();
      return;
    }
    let size = 0;
    const timer = setTimeout(() => settle(), DRAIN_MS);
    const settle = () => {
      clearTimeout(timer);
      req.off('data', count).off('end', settle).off('error', settle).off('close', settle).pause();
      resolve();
    };
    const count = (piece: Buffer) => {
      size += piece.length;
      if (size > MAX_DRAINED) settle();
    };
    req.unpipe();
    req.on('data', count).on('end', settle).on('error', settle).on('close', settle).resume();
  });
}

/** The client disconnected before the request was complete. No response is sent. */
export class ClientGone extends Error {}

/**
 * Passes a body on in pieces, at most `limit` bytes. Tiny pieces are joined to save memory.
 * @throws BodyTooLarge after the client has finished or sent far too much; ClientGone; RequestTimeout
 */
export function readBody(req: BodyRequest, limit: number, take: (piece: Uint8Array) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    if (req.destroyed) {
      reject(new ClientGone());
      return;
    }
    if (Number(req.headers['content-length'] ?? 0) > limit + MAX_DRAINED) {
      reject(new BodyTooLarge(limit));
      return;
    }
    let size = 0;
    const gathered = new ChunkList();
    const timer = setTimeout(() => settle(new RequestTimeout()), BODY_MS);
    const settle = (error?: Error) => {
      clearTimeout(timer);
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      if (error) reject(error);
      else resolve();
    };
    const onData = (piece: Buffer) => {
      size += piece.length;
      if (size <= limit) {
        gathered.add(piece);
        if (gathered.size >= HANDED_OVER) handOver();
      } else if (size > limit + MAX_DRAINED) {
        req.pause();
        settle(new BodyTooLarge(limit));
      }
    };
    const handOver = () => {
      for (const piece of gathered.take()) take(piece);
    };
    const onEnd = () => {
      handOver();
      settle(size > limit ? new BodyTooLarge(limit) : undefined);
    };
    const onGone = () => settle(new ClientGone());
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}
