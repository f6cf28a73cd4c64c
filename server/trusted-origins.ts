import type { IncomingMessage, ServerResponse } from 'node:http';
import { isOwnToken } from './authentication.ts';

const METHODS = 'DELETE, GET, HEAD, PATCH, POST, PUT';

/** Request headers that need permission (CORS). */
const SENT =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Parlance-Account, Range, ' +
  'Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset, User-Agent, X-HTTP-Method-Override';

/** Response headers that need permission (CORS). */
const READ =
  'Allow, Content-Disposition, Content-Range, ETag, Location, Parlance-Account, Parlance-Trial, Retry-After, ' +
  'Tus-Resumable, Upload-Expires, Upload-Length, Upload-Offset, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, ' +
  'X-Request-Id';

/** Seconds that a browser caches the permission. Some browsers cache no longer. */
const MAX_AGE = 7200;

/**
 * For a request with an Origin header: allows pages of trusted origins to call the API and read its responses. Sets the
 * CORS headers. Pages of other origins may do so with a token, and without cookies.
 * @param options.isPublic whether the address works without a login
 * @returns true for a preflight request, which is answered here
 */
export function admitOrigin(
  origins: readonly string[],
  req: IncomingMessage,
  res: ServerResponse,
  { isPublic = false } = {},
): boolean {
  const { origin = '' } = req.headers;
  const isPreflight = req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
  if (origins.includes(origin)) {
    res.setHeader('Access-Control-Allow-Origin', origin);
    // With cookies, browsers do not accept "*" as the origin.
    res.setHeader('Access-Control-Allow-Credentials', 'true');
  } else if (isPublic || (isPreflight ? announcesAuthorization(req) : isOwnToken(req.headers.authorization ?? ''))) {
    res.setHeader('Access-Control-Allow-Origin', '*');
  } else return false;
  if (!isPreflight) {
    res.setHeader('Access-Control-Expose-Headers', READ);
    return false;
  }
  const permission = {
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Allow-Headers': SENT,
    'Access-Control-Max-Age': MAX_AGE,
  };
  res.writeHead(204, permission).end();
  return true;
}

/** A preflight request does not contain the token itself. */
function announcesAuthorization({ headers }: IncomingMessage): boolean {
  const names = headers['access-control-request-headers'] ?? '';
  return names.split(',').some((name) => name.trim().toLowerCase() === 'authorization');
}

/** @throws TypeError for an origin that browsers never send, such as `https://app.example.com/` */
export function checkOrigin(origin: string): void {
  const own = URL.canParse(origin) ? new URL(origin).origin : undefined;
  // Apps have origins with other schemes, such as capacitor://localhost.
  if (own === origin || (own === 'null' && /^[a-z][a-z0-9+.-]*:\/\/[^/\s]+$/.test(origin))) return;
  const example = own && own !== 'null' ? own : 'https://app.example.com';
  throw new TypeError(`"${origin}" in trustedOrigins is not an origin. Write it like ${example}, without a path.`);
}
