import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Chat } from '../lib/index.ts';
import { NotFound, UPLOADS } from '../lib/internal.ts';
import { cutWithoutRest } from './body.ts';
import { listenerContext } from './context.ts';
import { type ListenerOptions, prefixOf } from './options.ts';
import { API_DESCRIPTION, Pages } from './pages/pages.ts';
import { mountPath } from './pages/web/web.ts';
import { answerCall } from './pipeline.ts';
import { ProxyWarning } from './rate-limits.ts';
import { beginRecord } from './request-record.ts';
import { sendError } from './respond.ts';
import { ResumableUploadEndpoint, TUS } from './resumable-uploads.ts';
import { admitOrigin, checkOrigin } from './trusted-origins.ts';

/**
 * Answers a request. For other paths it calls `next`, if the host passes it as Express and Connect do, and answers 404
 * otherwise.
 */
export type Listener<Request extends IncomingMessage = IncomingMessage> = (
  req: Request,
  res: ServerResponse,
  next?: () => void,
) => void;

const API = '/api/v1';

export function buildListener(chat: Chat, options: ListenerOptions, more?: Parameters<typeof listenerContext>[2]) {
  const { trustedOrigins = [] } = options;
  for (const origin of trustedOrigins) checkOrigin(origin);
  const context = listenerContext(chat, options, more);
  const pages = new Pages(context, { isForPeople: options.pages !== false });
  const resumable = new ResumableUploadEndpoint(context);
  const prefix = prefixOf(options);
  const { logger, metrics } = options;
  metrics?.watch(context.transport.metrics);
  metrics?.watch(async () => [
    [
      'parlance_http_requests_waiting',
      'Requests queued because their account uses much server time.',
      context.turns?.waiting ?? 0,
    ],
    ['parlance_http_unsent_bytes', 'Bytes of large responses that clients have not read yet.', context.unsent.total],
  ]);
  // Without limits, no address of a client is needed.
  const warning =
    context.rateLimits && new ProxyWarning(context.transport.engine.logger, Number(options.trustProxy ?? 0));
  const begin = (req: IncomingMessage, res: ServerResponse) => {
    closeWithConnection(req, res);
    cutWithoutRest(req, res);
    if (logger || metrics) beginRecord(req, res, options);
  };
  const answerProgram = (req: IncomingMessage, res: ServerResponse, path: string, query: string) =>
    startsWithPath(path, TUS)
      ? resumable.answer(req, res, path.slice(TUS.length))
      : answerCall(context, req, res, { path, query });
  const listener: Listener = (req, res, next) => {
    warning?.note(req);
    const { path, query } = splitAddress(req.url ?? '/', prefix);
    const isApi = startsWithPath(path, API);
    if (isApi || startsWithPath(path, UPLOADS)) {
      if (trustedOrigins.length > 0) res.setHeader('Vary', 'Origin');
      const isPublic = startsWithPath(path, PUBLIC_FILES);
      if (req.headers.origin !== undefined && admitOrigin(trustedOrigins, req, res, { isPublic })) return;
    }
    const isCall = isApi && path !== API_DESCRIPTION;
    const page = isCall ? undefined : pages.find(path);
    if (!page && !isCall && next) return next();
    begin(req, res);
    if (page) void pages.answer(page, { req, res, path, base: mountPath(req) ?? prefix });
    else if (isCall) void answerProgram(req, res, path.slice(API.length), query);
    else sendError({ req, res, headers: {} }, new NotFound(path.slice(0, 200)));
  };
  return { listener, context };
}

/** By connection: responses that wait for earlier ones, because the client pipelines its requests. */
const waitingResponses = new WeakMap<Socket, Set<ServerResponse>>();

/** Before version 24, Node closes only the first response of a broken connection. Those behind it would leak. */
function closeWithConnection({ socket }: IncomingMessage, res: ServerResponse): void {
  if (res.socket) return;
  const known = waitingResponses.get(socket);
  const waiting = known ?? new Set();
  waiting.add(res);
  res.once('close', () => waiting.delete(res));
  if (known) return;
  waitingResponses.set(socket, waiting);
  socket.once('close', () =>
    // Node 24 closes them itself, a moment later.
    setImmediate(() => {
      for (const response of waiting) if (!response.socket) response.destroy().emit('close');
    }),
  );
}

/** Addresses with a secret, which work without a login. */
const PUBLIC_FILES = `${UPLOADS}/temporary`;

/** The path below the prefix. The host may have removed the prefix already. */
function splitAddress(url: string, prefix: string): { path: string; query: string } {
  const mark = url.indexOf('?');
  let path = mark === -1 ? url : url.slice(0, mark);
  const query = mark === -1 ? '' : url.slice(mark + 1);
  // A proxy may send an absolute URL.
  if (path[0] !== '/') path = path.replace(/^https?:\/\/[^/]*/i, '');
  if (path.includes('//')) path = path.replace(/\/{2,}/g, '/');
  if (prefix !== '' && startsWithPath(path, prefix)) path = path.slice(prefix.length);
  return { path: path === '' ? '/' : path, query };
}

function startsWithPath(path: string, start: string): boolean {
  return path.startsWith(start) && (path.length === start.length || path[start.length] === '/');
}
