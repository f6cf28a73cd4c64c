import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Chat, NotFound, type Operation } from '../lib/index.ts';
import { catalogue } from '../lib/operations/index.ts';
import { Credentials } from './authentication.ts';
import { answerCustomEmoji, CUSTOM_EMOJI } from './custom-emoji.ts';
import type { Face } from './exchange.ts';
import type { FaceOptions } from './options.ts';
import { Pages } from './pages.ts';
import { answerCall } from './pipeline.ts';
import { Polls } from './polls.ts';
import { RateLimits } from './rate-limits.ts';
import { sendError } from './respond.ts';
import { Router } from './router.ts';

/**
 * Answers a request. With `next`, as Express and Connect hand it over, addresses that are not the chat's
 * are left to the host.
 */
export type Listener = (req: IncomingMessage, res: ServerResponse, next?: () => void) => void;

const API = '/api/v1';

export function buildListener(
  chat: Chat,
  options: FaceOptions,
  { operations = catalogue, ownsRequests = false }: { operations?: readonly Operation[]; ownsRequests?: boolean } = {},
): { listener: Listener; polls: Polls } {
  const polls = new Polls();
  const face: Face = {
    chat,
    options,
    router: new Router(operations),
    rateLimits: options.rateLimits === false ? undefined : new RateLimits(options.rateLimits),
    credentials: new Credentials(chat),
    polls,
    ownsRequests,
  };
  const pages = new Pages(chat, options.pages !== false);
  const prefix = (options.prefix ?? '').replace(/\/+$/, '');
  const listener: Listener = (req, res, next) => {
    const { path, query } = splitAddress(req.url ?? '/', prefix);
    if (pages.has(path)) void pages.answer(req, res, path, mountPath(req) ?? prefix);
    else if (startsWithPath(path, CUSTOM_EMOJI)) void answerCustomEmoji(chat, req, res, path);
    else if (startsWithPath(path, API)) void answerCall(face, req, res, path.slice(API.length), query);
    else if (next) next();
    else sendError(res, new NotFound(path.slice(0, 200)), []);
  };
  return { listener, polls };
}

/** The path below the prefix, whether the host has taken the prefix off already or not. */
function splitAddress(url: string, prefix: string): { path: string; query: string } {
  const mark = url.indexOf('?');
  let path = mark === -1 ? url : url.slice(0, mark);
  const query = mark === -1 ? '' : url.slice(mark + 1);
  // Requests through a proxy may name the whole address.
  if (path[0] !== '/') path = path.replace(/^https?:\/\/[^/]*/i, '');
  if (path.includes('//')) path = path.replace(/\/{2,}/g, '/');
  if (prefix !== '' && startsWithPath(path, prefix)) path = path.slice(prefix.length);
  return { path: path === '' ? '/' : path, query };
}

function startsWithPath(path: string, start: string): boolean {
  return path.startsWith(start) && (path.length === start.length || path[start.length] === '/');
}

/** Where Express has mounted the listener. */
function mountPath(req: IncomingMessage): string | undefined {
  const { baseUrl } = req as { baseUrl?: unknown };
  return typeof baseUrl === 'string' && baseUrl !== '' ? baseUrl : undefined;
}
