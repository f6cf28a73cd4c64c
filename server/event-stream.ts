import type { IncomingMessage, ServerResponse } from 'node:http';
import { ChatError } from '../lib/index.ts';
import { type EventFrame, errorBody, MethodNotAllowed, type StreamedEvents } from '../lib/internal.ts';
import { ClientGone } from './body-stream.ts';
import { type Exchange, HEADERS, sendOptions } from './respond.ts';
import { LARGE_RESPONSE_BYTES } from './unsent-answers.ts';

/** Paths below the API: of the operation, and of the stream of its answers. */
export const EVENTS = '/events';
export const EVENT_STREAM = '/events/stream';

/** Server-sent events. Browsers send the ID of the last one as `Last-Event-ID` when they connect again. */
export const EVENT_FRAME: EventFrame = { before: (id) => `id:${id}\ndata:`, after: '\n\n' };

const METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * The path of the queue has other methods, but a stream is only for reading.
 * @returns whether it has answered the request
 * @throws MethodNotAllowed
 */
export function admitStreamMethod({ method = 'GET' }: IncomingMessage, res: ServerResponse): boolean {
  if (!METHODS.includes(method)) throw new MethodNotAllowed(method.slice(0, 20), METHODS);
  if (method === 'OPTIONS') sendOptions(res, METHODS);
  return method === 'OPTIONS';
}

/** Milliseconds in which a client must read something. */
const STALLED_MS = 30_000;
/** UTF-16 code units. Shorter texts go out together. */
const TOGETHER = 64 * 1024;

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
    for await (const texts of events) {
      if (res.destroyed) return;
      const size = (texts ?? []).reduce((sum, text) => sum + text.length, 0);
      const release = size >= LARGE_RESPONSE_BYTES ? admit(size) : undefined;
      if (!res.headersSent) begin(res, headers);
      if (req.method === 'HEAD') break;
      // A comment shows the client, and proxies, that the connection works.
      await writeTogether(res, size > 0 && texts ? texts : [':\n\n'], stalledMs);
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

async function writeTogether(res: ServerResponse, texts: readonly (string | Buffer)[], stalledMs: number) {
  let together = '';
  for (const text of texts) {
    if (typeof text === 'string') together += text;
    if (together !== '' && (typeof text !== 'string' || together.length >= TOGETHER)) {
      await write(res, together, stalledMs);
      together = '';
    }
    if (typeof text !== 'string') await write(res, text, stalledMs);
  }
  if (together !== '') await write(res, together, stalledMs);
}

/** Long text goes out in pieces, so that a client that reads slowly is not cut. @throws ClientGone */
async function write(res: ServerResponse, text: string | Buffer, stalledMs: number): Promise<void> {
  if (text.length <= TOGETHER) return writePiece(res, text, stalledMs);
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length; at += TOGETHER) {
    await writePiece(res, bytes.subarray(at, at + TOGETHER), stalledMs);
  }
}

/** Waits until the client has read most of it. @throws ClientGone */
async function writePiece(res: ServerResponse, piece: string | Buffer, stalledMs: number): Promise<void> {
  if (res.write(piece)) return;
  if (!res.destroyed) {
    await new Promise<void>((resolve) => {
      const goOn = () => {
        clearTimeout(stalled);
        res.off('drain', goOn).off('close', goOn);
        resolve();
      };
      const stalled = setTimeout(() => res.destroy(), stalledMs);
      res.once('drain', goOn).once('close', goOn);
    });
  }
  if (res.destroyed) throw new ClientGone();
}
