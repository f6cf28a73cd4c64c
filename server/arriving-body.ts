import { ClientGone, RequestTimeout } from './body-stream.ts';
import type { ServerRequest } from './exchange.ts';

/** Milliseconds in which something more must arrive while somebody waits for it. */
const STALLED_MS = 30_000;

/**
 * The body of a request, piece by piece and no faster than it is taken. Not the iterator of the stream: that one cannot
 * be left while it waits for a piece, so nobody else could read the rest of a request that is refused in the middle.
 * @throws ClientGone where it breaks off, RequestTimeout
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
