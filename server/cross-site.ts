import type { IncomingMessage } from 'node:http';
import { ChatError } from '../lib/index.ts';

/**
 * A login the browser sends along by itself must not serve other sites' forms. API keys need no such care.
 * @throws ChatError 403 CSRF_FAILED
 */
export function refuseOtherSites(req: IncomingMessage, trustedOrigins: readonly string[]): void {
  if (req.method === 'GET' || req.method === 'HEAD') return;
  const { origin, host } = req.headers;
  if (origin !== undefined && trustedOrigins.includes(origin)) return;
  const site = req.headers['sec-fetch-site'];
  if (
    site !== undefined ? site === 'same-origin' || site === 'none' : origin === undefined || hostOf(origin) === host
  ) {
    return;
  }
  throw new ChatError('This request comes from a page of another site.', 'CSRF_FAILED', 403);
}

function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}
