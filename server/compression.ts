import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { type CancelSignal, FairScheduler, inBlocks } from '../lib/internal.ts';
import { ClientGone } from './body.ts';
import { LARGE_RESPONSE_BYTES } from './unsent-answers.ts';

/** A content coding. */
export type Encoding = 'br' | 'gzip';

/** Bytes. A shorter response fits into one packet as it is. */
export const MIN_COMPRESSED_BYTES = 1024;
/** Characters of an Accept-Encoding header. Browsers send 30. */
const MAX_HEADER = 200;
const CODING = /^\s*([^\s;]+)\s*(?:;\s*q=([\d.]+)\s*)?$/;

/**
 * The encoding that the client prefers (RFC 9110, 12.5.3), or undefined for none. The package `negotiator` has no types
 * and reads headers of any length.
 */
export function acceptedEncoding({ headers }: IncomingMessage): Encoding | undefined {
  const header = headers['accept-encoding'];
  if (typeof header !== 'string' || header.length > MAX_HEADER) return undefined;
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [, coding, weight = 1] = CODING.exec(item) ?? [];
    if (coding !== undefined) weights.set(coding, Number(weight));
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  const encoding = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip';
  const weight = weightOf(encoding);
  return weight > 0 && weight >= (weights.get('identity') ?? 0) ? encoding : undefined;
}

/** The header Vary of a response that is compressed for clients which accept it. */
export function variedByEncoding(res: ServerResponse): string {
  const others = res.getHeader('Vary');
  return others === undefined ? 'Accept-Encoding' : `${others}, Accept-Encoding`;
}

/** The lowest levels: on JSON, the next ones take twice the time for a tenth fewer bytes. */
const FAST = { level: 1, params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const SMALL = { level: 6, params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const compressWhole = { br: promisify(brotliCompress), gzip: promisify(gzip) };
const compressorOf = { br: createBrotliCompress, gzip: createGzip };

const kept = {
  br: new WeakMap<Uint8Array, Promise<Buffer>>(),
  gzip: new WeakMap<Uint8Array, Promise<Buffer>>(),
};

/** Compresses bytes that never change, once for all requests. */
export function compressedOnce(bytes: Uint8Array, encoding: Encoding): Promise<Buffer> {
  const compressed = kept[encoding].get(bytes) ?? compressWhole[encoding](bytes, SMALL);
  kept[encoding].set(bytes, compressed);
  return compressed;
}

/** Large responses to compress in parallel. The thread pool has four threads, also for files and passwords. */
const MAX_LARGE = 2;
/** Others. Each takes less than a millisecond. */
const MAX_SMALL = 16;

/**
 * Compresses responses on the thread pool of Node. Large ones wait for a place, and callers have one in turn. Others
 * do not wait: beyond a number under way, they stay uncompressed. An event can answer thousands of polls.
 */
export class Compression {
  readonly #large = new FairScheduler({ places: MAX_LARGE });
  #small = 0;

  /**
   * @param size bytes of all pieces
   * @returns the compressed bytes, or undefined to send the pieces as they are
   * @throws ClientGone
   */
  async compress(
    pieces: readonly (string | Buffer)[],
    size: number,
    encoding: Encoding,
    { caller, signal }: { caller: number | string; signal: CancelSignal },
  ): Promise<Buffer[] | undefined> {
    if (size >= LARGE_RESPONSE_BYTES) {
      return this.#large.run(caller, () => compressInBlocks(pieces, encoding, signal), signal);
    }
    if (this.#small >= MAX_SMALL) return undefined;
    this.#small++;
    try {
      return [await compressWhole[encoding](Buffer.concat([...buffersOf(pieces)]), FAST)];
    } finally {
      this.#small--;
    }
  }
}

async function compressInBlocks(
  pieces: readonly (string | Buffer)[],
  encoding: Encoding,
  signal: CancelSignal,
): Promise<Buffer[]> {
  const compressor = compressorOf[encoding]({ ...FAST, chunkSize: LARGE_RESPONSE_BYTES });
  const [compressed] = await Promise.all([compressor.toArray(), pipeline(blocksOf(pieces, signal), compressor)]);
  return compressed;
}

async function* blocksOf(pieces: readonly (string | Buffer)[], signal: CancelSignal): AsyncGenerator<Buffer> {
  for await (const block of inBlocks(Readable.from(buffersOf(pieces)), LARGE_RESPONSE_BYTES)) {
    if (signal.aborted) throw new ClientGone();
    yield block;
  }
}

const encoder = new TextEncoder();

/** The pieces as bytes. Long text comes in buffers of one size, so that freed memory can be reused. */
export function* buffersOf(pieces: readonly (string | Buffer)[]): Generator<Buffer> {
  for (const piece of pieces) {
    if (typeof piece !== 'string') yield piece;
    else if (piece.length < LARGE_RESPONSE_BYTES) yield Buffer.from(piece);
    else
      for (let at = 0; at < piece.length; ) {
        const buffer = Buffer.allocUnsafeSlow(LARGE_RESPONSE_BYTES);
        const { read, written } = encoder.encodeInto(piece.slice(at, at + LARGE_RESPONSE_BYTES), buffer);
        yield buffer.subarray(0, written);
        at += read;
      }
  }
}
