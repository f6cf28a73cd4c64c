import { BadRequest, PieceList } from '../lib/internal.ts';
import type { ServerRequest } from './exchange.ts';

/** How much more than allowed is read and thrown away so that the sender gets to see the answer. Bytes. */
const MAX_DRAINED = 32 * 1024 * 1024;

/** 413: the connection is closed after the answer. */
export class BodyTooLarge extends BadRequest {
  constructor(limit: number) {
    super(`The request body is too large (limit: ${limit} bytes).`, undefined, 413);
  }
}

/** A file beyond its limit is an ordinary 400 of the API; 413 is for a form that is too large itself. */
export class FileTooLarge extends BadRequest {
  constructor(maxBytes: number) {
    super(`The file is too large (limit: ${maxBytes / 1024 / 1024} MiB).`);
  }
}

/** 408: nothing more of it came for too long. */
export class RequestTimeout extends BadRequest {
  constructor() {
    super('The request did not arrive in time.', undefined, 408);
  }
}

/** Bytes that are handed over at a time, however small the pieces are in which they come. */
export const HANDED_OVER = 64 * 1024;

/** Milliseconds in which the body of an ordinary request has to arrive. */
const BODY_MS = 30_000;
/** Likewise in which a request that has failed already is read on for its sender to see why. */
const DRAIN_MS = 10_000;

/**
 * Reads what is left of a request and throws it away, so that a sender who is still sending sees the answer; not
 * much more than they might send by mistake.
 */
export function drain(req: ServerRequest): Promise<void> {
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

/** The client went away before the request was complete; there is nobody to answer. */
export class ClientGone extends Error {}

/**
 * Hands a body over piece by piece, at most `limit` bytes of it, in pieces that cost about as much as there is in them.
 * @throws BodyTooLarge, once the sender has finished or sent far too much; ClientGone, RequestTimeout.
 */
export function readBody(req: ServerRequest, limit: number, take: (piece: Uint8Array) => void): Promise<void> {
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
    const gathered = new PieceList();
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
