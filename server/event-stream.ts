import type { ServerResponse } from 'node:http';
import { ChatError } from '../lib/index.ts';
import { type EventFrame, errorBody, type StreamedEvents } from '../lib/internal.ts';
import { ClientGone } from './body.ts';
import { type Exchange, HEADERS } from './respond.ts';
import { Methods } from './router.ts';
import { LARGE_RESPONSE_BYTES } from './unsent-answers.ts';

/** Paths below the API: of the operation, and of the stream of its answers. */
export const EVENTS = '/events';
export const EVENT_STREAM = '/events/stream';

/** Server-sent events. Browsers send the ID of the last one as `Last-Event-ID` when they connect again. */
export const EVENT_FRAME: EventFrame = { before: (id) => `id:${id}\ndata:`, after: '\n\n' };

/** The path of the queue has other methods, but a stream is only for reading. */
export const STREAM_METHODS = Methods.get(EVENT_STREAM).set('OPTIONS', EVENT_STREAM);

/** Milliseconds in which a client must read something. */
const STALLED_MS = 30_000;
/** Bytes. Longer pieces go out in parts, so that a client that reads slowly is not cut. */
const MAX_WRITE = 64 * 1024;
const KEEP_ALIVE = Buffer.from(':\n\n');

/**
 * Sends the events of a queue until its client disconnects. The first events bring the status, so a refusal before
 * them has its own status. A later refusal is an event with the name `error`.
 * @param admit admits many events before they go out; may throw. Returns a function to call afterwards.
 */
export async function sendEventStream(
  { req, res, headers }: Exchange,
  events: AsyncIterable<StreamedEvents>,
  admit: (bytes: number) => () => void,
  stalledMs = STALLED_MS,
): Promise<void> {
  try {
    for await (const pieces of events) {
      if (res.destroyed) return;
      const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
      const release = size >= LARGE_RESPONSE_BYTES ? admit(size) : undefined;
      if (!res.headersSent) begin(res, headers);
      if (req.method === 'HEAD') break;
      // A comment shows the client, and proxies, that the connection works.
      for (const piece of size > 0 ? pieces : [KEEP_ALIVE]) await write(res, piece, stalledMs);
      release?.();
    }
  } catch (error) {
    if (!res.headersSent || !(error instanceof ChatError)) throw error;
    res.write(`event:error\ndata:${JSON.stringify(errorBody(error))}\n\n`);
  }
  res.end();
}

function begin(res: ServerResponse, headers: Exchange['headers']): void {
  // The end of the connection is the end of the stream, so that no chunk needs a header and a trailer.
  res.removeHeader('Transfer-Encoding');
  res.writeHead(200, {
    ...HEADERS,
    'Content-Type': 'text/event-stream',
    // nginx would collect events until a buffer is full.
    'X-Accel-Buffering': 'no',
    Connection: 'close',
    ...headers,
  });
}

/** Waits until the client has read most of it. @throws ClientGone */
async function write(res: ServerResponse, piece: Buffer, stalledMs: number): Promise<void> {
  for (let at = 0; at < piece.length; at += MAX_WRITE) {
    if (res.write(piece.subarray(at, at + MAX_WRITE))) continue;
    if (!res.destroyed) await drained(res, stalledMs);
    if (res.destroyed) throw new ClientGone();
  }
}

function drained(res: ServerResponse, stalledMs: number): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      clearTimeout(stalled);
      res.off('drain', goOn).off('close', goOn);
      resolve();
    };
    const stalled = setTimeout(() => res.destroy(), stalledMs);
    res.once('drain', goOn).once('close', goOn);
  });
}
