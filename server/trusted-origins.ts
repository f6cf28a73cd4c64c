import type { ServerAnswer, ServerRequest } from './exchange.ts';

const METHODS = 'DELETE, GET, HEAD, PATCH, POST, PUT';

/** Beyond those that a page may send without asking. */
const SENT = [
  'Authorization',
  'Content-Type',
  'If-None-Match',
  'Range',
  'Tus-Resumable',
  'Upload-Checksum',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'User-Agent',
  'X-HTTP-Method-Override',
].join(', ');

/** Beyond those that a page may read without being told. */
const READ = [
  'Allow',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Location',
  'Parlance-Trial',
  'Retry-After',
  'Tus-Resumable',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Offset',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ');

/** Seconds for which a browser need not ask again. Some keep nothing for longer. */
const MAX_AGE = 7200;

/** Lets pages of other origins that the host trusts call the API and read its answers (CORS). */
export class TrustedOrigins {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    for (const origin of origins) checkOrigin(origin);
    this.#origins = new Set(origins);
  }

  /**
   * Adds what lets the page of a request read its answer.
   * @returns whether the browser only asked whether it may send a request, which is answered then
   */
  admit(req: ServerRequest, res: ServerAnswer): boolean {
    if (this.#origins.size === 0) return false;
    const { origin } = req.headers;
    res.setHeader('Vary', 'Origin');
    if (origin === undefined || !this.#origins.has(origin)) return false;
    res.setHeader('Access-Control-Allow-Origin', origin);
    // The host's login is a cookie, so the origin is always named, and never "*".
    res.setHeader('Access-Control-Allow-Credentials', 'true');
    if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) {
      res.setHeader('Access-Control-Expose-Headers', READ);
      return false;
    }
    res
      .writeHead(204, {
        'Access-Control-Allow-Methods': METHODS,
        'Access-Control-Allow-Headers': SENT,
        'Access-Control-Max-Age': MAX_AGE,
      })
      .end();
    return true;
  }
}

/** @throws TypeError for what no browser would ever send, `https://app.example.com/` for one */
function checkOrigin(origin: string): void {
  let own: string | undefined;
  try {
    own = new URL(origin).origin;
  } catch {
    // `own` stays undefined, and the refusal at the end names an example.
  }
  // Origins of apps have schemes of their own, such as capacitor://localhost.
  if (own === origin || (own === 'null' && /^[a-z][a-z0-9+.-]*:\/\/[^/\s]+$/.test(origin))) return;
  const example = own && own !== 'null' ? own : 'https://app.example.com';
  throw new TypeError(`"${origin}" in trustedOrigins is no origin; write it like ${example}, without a path.`);
}
