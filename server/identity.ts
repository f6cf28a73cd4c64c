import type { IncomingMessage } from 'node:http';
import { type Access, Unauthorized } from '../lib/index.ts';
import { refuseOtherSites } from './cross-site.ts';
import type { Face } from './exchange.ts';

export interface Identity {
  /** null: without credentials. */
  readonly userId: number | null;
  readonly keyGeneration?: number;
}

const NOBODY: Identity = { userId: null };

/**
 * Who calls: by Basic credentials, else by the host's login.
 * @throws Unauthorized, BadRequest (not Basic), ChatError CSRF_FAILED
 */
export async function identify(
  { chat, options, credentials }: Pick<Face, 'chat' | 'options' | 'credentials'>,
  req: IncomingMessage,
  access: Access,
): Promise<Identity> {
  // Clients send their key to open operations too, even a wrong one.
  if (access === 'anyone') return NOBODY;
  const header = req.headers.authorization;
  // Another scheme than Basic may be the host's own login.
  if (header !== undefined && (!options.authenticate || /^\s*basic\b/i.test(header))) return credentials.prove(header);
  const user = await options.authenticate?.(req);
  if (user !== null && user !== undefined) {
    refuseOtherSites(req, options.trustedOrigins ?? []);
    return { userId: await chat.resolveUser(user) };
  }
  if (header !== undefined) return credentials.prove(header);
  if (access === 'spectator') return NOBODY;
  throw new Unauthorized('Give the e-mail address and API key of an account by HTTP Basic authentication.');
}
