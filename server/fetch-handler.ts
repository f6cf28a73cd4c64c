import type { Chat } from '../lib/index.ts';
import { FetchAnswer } from './fetch-answer.ts';
import { FetchRequest } from './fetch-request.ts';
import { buildListener } from './listener.ts';
import type { FetchOptions, HostLogin } from './options.ts';

/**
 * Answers a request. Further arguments are passed to `authenticate` and `address`. Resolves to an empty 499 response if
 * the client disconnects. Rejects if the body was already read.
 */
export type FetchHandler<Host extends readonly unknown[] = []> = (request: Request, ...host: Host) => Promise<Response>;

/** For a client that has disconnected. */
const gone = () => new Response(null, { status: 499 });

/**
 * A handler for WHATWG `Request` and `Response` on Node: Hono, route handlers of Next, SvelteKit, Remix. It works like
 * `requestListener`, and streams requests and responses. Unknown paths get a 404.
 * @throws TypeError if one of `trustedOrigins` is not an origin
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
    // An incomplete request needs no response.
    req.once('close', () => {
      if (!req.complete) res.destroy();
    });
    // Without a listener, 'error' would end the process. 'close' follows and does the cleanup.
    res.on('error', () => undefined);
    listener(req, res);
    const response = await res.response;
    if (response) return response;
    if (req.misuse) throw req.misuse;
    return gone();
  };
}
