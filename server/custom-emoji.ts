import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Chat, MethodNotAllowed, NotFound } from '../lib/index.ts';
import { reportFailure } from './failure.ts';
import { sendError, sendOptions } from './respond.ts';

/** Where pictures of custom emoji are, below the prefix. */
export const CUSTOM_EMOJI = '/custom_emoji';

const METHODS = ['GET', 'HEAD'];

/** Sends a picture. No login is asked for: pages show it with a plain `<img>`, and nobody can guess the address. */
export async function answerCustomEmoji(
  chat: Chat,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  if (req.method === 'OPTIONS') return sendOptions(res, METHODS);
  if (!METHODS.includes(req.method ?? '')) return sendError(res, new MethodNotAllowed(req.method ?? '', METHODS), []);
  try {
    const image = await chat.emojiImage(path.slice(CUSTOM_EMOJI.length + 1));
    if (!image) return sendError(res, new NotFound(path.slice(0, 200)), []);
    res.writeHead(200, {
      'Content-Type': image.content_type,
      'Content-Length': image.bytes.length,
      // A picture never changes: another one has another address.
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
    });
    res.end(image.bytes);
  } catch (error) {
    reportFailure(chat.logger, res, error, { method: req.method, path });
  }
}
