import type { Chat } from '../lib/index.ts';
import { FetchAnswer } from './fetch-answer.ts';
import { FetchRequest } from './fetch-request.ts';
import { buildListener } from './listener.ts';
import type { FetchOptions, HostLogin } from './options.ts';

/**
 * Answers a request; `host`, whatever the host knows beside it, is handed on to `authenticate` and `address`. Resolves
 * to a status of 499 without a body where the caller has gone away. Rejects where the host has read the body before.
 */
export type FetchHandler<Host extends readonly unknown[] = []> = (request: Request, ...host: Host) => Promise<Response>;

/** The caller has gone away, and nobody reads this. */
const gone = () => new Response(null, { status: 499 });

/**
 * A handler for whatever speaks WHATWG `Request` and `Response` on Node: Hono, route handlers of Next, SvelteKit,
 * Remix. It does what `requestListener` does, and streams what is sent and received alike. Addresses that are not the
 * chat's are answered with a 404.
 * @throws TypeError where one of `trustedOrigins` is no origin
 * @example
 * const handler = fetchHandler(chat, { prefix: '/chat', authenticate: (request) => emailOfSession(request) });
 * app.all('/chat/*', (context) => handler(context.req.raw));
 */
export function fetchHandler<Host extends readonly unknown[] = []>(
  chat: Chat,
  options: FetchOptions<Host> = {},
): FetchHandler<Host> {
  const { authenticate, address, ...rest } = options;
  const logins = new WeakMap<object, () => HostLogin | Promise<HostLogin>>();
  const { listener } = buildListener(
    chat,
    { ...rest, ...(authenticate ? { authenticate: (req) => logins.get(req)?.() } : {}) },
    { ownsRequests: true },
  );
  return async (request, ...host) => {
    if (request.signal.aborted) return gone();
    const req = new FetchRequest(request, address?.(request, ...host));
    const res = new FetchAnswer(request.method);
    if (authenticate) logins.set(req, () => authenticate(request, ...host));
    const leave = () => {
      req.destroy();
      res.destroy();
    };
    request.signal.addEventListener('abort', leave);
    res.once('close', () => request.signal.removeEventListener('abort', leave));
    // A request that broke off has nobody who waits for an answer.
    req.once('close', () => {
      if (!req.complete) res.destroy();
    });
    // Unheard, an 'error' would end the process; 'close' follows it, and does what is to be done.
    res.on('error', () => undefined);
    listener(req, res);
    const response = await res.response;
    if (response) return response;
    if (req.misuse) throw req.misuse;
    return gone();
  };
}
