import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ChatError } from '../lib/index.ts';
import { type EventFrame, errorBody, MethodNotAllowed, type StreamedEvents } from '../lib/internal.ts';
import { ClientGone } from './body-stream.ts';
import { type Exchange, HEADERS, sendOptions } from './respond.ts';

/** Paths below the API: of the operation, and of the stream of its answers. */
export const EVENTS = '/events';
export const EVENT_STREAM = '/events/stream';

/** Server-sent events. Browsers send the ID of the last one as `Last-Event-ID` when they connect again. */
export const EVENT_FRAME: EventFrame = { before: (id) => `id:${id}\ndata:`, after: '\n\n' };

/** Milliseconds after which a browser connects again at the end of a stream. */
const RECONNECT_MS = 100;
const METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * The path of the queue has other methods, but a stream can only be read.
 * @returns whether the request is answered
 * @throws MethodNotAllowed
 */
export function admitStreamMethod({ method = 'GET' }: IncomingMessage, res: ServerResponse): boolean {
  if (!METHODS.includes(method)) throw new MethodNotAllowed(method.slice(0, 20), METHODS);
  if (method === 'OPTIONS') sendOptions(res, METHODS);
  return method === 'OPTIONS';
}

/** Milliseconds in which a client must read what was sent. */
const STALLED_MS = 30_000;
/** UTF-16 code units. Shorter texts are sent together. */
const TOGETHER = 64 * 1024;

/**
 * Sends the events of a queue until its client disconnects. The status is sent with the first events, so a refusal
 * before has its own status. A later refusal is an event with the name `error`.
 */
export async function sendEventStream(
  { req, res, headers }: Exchange,
  events: AsyncIterable<StreamedEvents>,
): Promise<void> {
  try {
    for await (const texts of events) {
      if (res.destroyed) return;
      if (!res.headersSent) begin(res, headers);
      if (req.method === 'HEAD') break;
      // A comment shows the client, and proxies, that the connection works.
      if (!texts || texts.length === 0) await write(res, ':\n\n');
      else await writeTogether(res, texts);
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
    ...headers,
  });
  res.write(`retry:${RECONNECT_MS}\n\n`);
}

async function writeTogether(res: ServerResponse, texts: readonly (string | Buffer)[]): Promise<void> {
  let together = '';
  for (const text of texts) {
    if (typeof text === 'string') together += text;
    else {
      if (together !== '') await write(res, together);
      together = '';
      await write(res, text);
    }
    if (together.length >= TOGETHER) {
      await write(res, together);
      together = '';
    }
  }
  if (together !== '') await write(res, together);
}

/** Waits until the client has read most of what was sent. @throws ClientGone */
async function write(res: ServerResponse, text: string | Buffer): Promise<void> {
  if (res.write(text)) return;
  if (res.destroyed) throw new ClientGone();
  const stalled = setTimeout(() => res.destroy(), STALLED_MS);
  await Promise.race([once(res, 'drain'), once(res, 'close')]).finally(() => clearTimeout(stalled));
  if (res.destroyed) throw new ClientGone();
}
