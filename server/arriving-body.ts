import type { IncomingMessage } from 'node:http';
import { ClientGone, RequestTimeout } from './body-stream.ts';

/** Milliseconds in which something more must arrive while somebody waits for it. */
const STALLED_MS = 30_000;

/**
 * The body of a request, piece by piece and no faster than it is taken. Where it is left before its end, the rest of it
 * is there to be read by somebody else.
 * @throws ClientGone where it breaks off, RequestTimeout
 */
export async function* arrivingBody(req: IncomingMessage): AsyncGenerator<Uint8Array> {
  const pieces = req.iterator({ destroyOnReturn: false });
  for (;;) {
    const next = await inTime(req, pieces.next());
    if (next.done) break;
    yield next.value as Buffer;
  }
  if (!req.complete) throw new ClientGone();
}

async function inTime<T>(req: IncomingMessage, arriving: Promise<T>): Promise<T> {
  const timer = setTimeout(() => req.destroy(new RequestTimeout()), STALLED_MS);
  try {
    return await arriving;
  } catch (error) {
    throw error instanceof RequestTimeout ? error : new ClientGone();
  } finally {
    clearTimeout(timer);
  }
}
