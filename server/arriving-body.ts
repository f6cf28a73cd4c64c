import { ClientGone, RequestTimeout } from './body-stream.ts';
import type { ServerRequest } from './exchange.ts';

/** Milliseconds to wait for the next bytes. */
const STALLED_MS = 30_000;

/**
 * The body of a request in pieces, read on demand. The stream's own iterator cannot be used. It cannot be stopped
 * while it waits for a piece, so the rest of a refused request could not be drained.
 * @throws ClientGone if the request breaks off, RequestTimeout
 */
export function arrivingBody(req: ServerRequest): AsyncIterable<Uint8Array> {
  let leave: (() => void) | undefined;
  const iterator: AsyncIterator<Uint8Array> = {
    next: () =>
      new Promise((resolve, reject) => {
        const settle = (then: () => void) => {
          clearTimeout(timer);
          req.off('data', onData).off('end', onEnd).off('error', onEnd).off('close', onEnd).pause();
          leave = undefined;
          then();
        };
        const done = () => resolve({ done: true, value: undefined });
        const onData = (value: Buffer) => settle(() => resolve({ done: false, value }));
        const onEnd = () => settle(() => (req.readableEnded ? done() : reject(new ClientGone())));
        const timer = setTimeout(() => settle(() => reject(new RequestTimeout())), STALLED_MS);
        leave = () => settle(done);
        if (req.readableEnded || req.destroyed) onEnd();
        else req.on('data', onData).on('end', onEnd).on('error', onEnd).on('close', onEnd).resume();
      }),
    return: async () => {
      leave?.();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
