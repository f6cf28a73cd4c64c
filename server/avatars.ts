import type { IncomingMessage } from 'node:http';
import type { Chat } from '../lib/index.ts';
import { AVATARS, GENERATED_AVATARS, NotFound, transportOf } from '../lib/internal.ts';
import type { Authentication } from './authentication.ts';
import { identicon } from './identicon.ts';
import type { Page } from './page.ts';
import type { RateLimits } from './rate-limits.ts';

/** Path for avatars by user ID or e-mail address, for clients without an avatar URL. */
export const AVATAR = '/avatar';

const PIXELS = { small: 100, medium: 500 };
const GENERATED = new RegExp(`^${GENERATED_AVATARS}/([0-9a-f]{32})(-medium)?\\.png$`);

/** Needs no login: pages use a plain `<img>`, and the URL cannot be guessed. */
export async function avatarImage(chat: Chat, path: string): Promise<Page> {
  const name = path.slice(AVATARS.length + 1);
  const [, seed, medium] = GENERATED.exec(name) ?? [];
  const bytes =
    seed === undefined
      ? await transportOf(chat).avatarImage(name)
      : identicon(seed, medium ? PIXELS.medium : PIXELS.small);
  if (!bytes) throw new NotFound(path.slice(0, 200));
  return {
    bytes,
    headers: {
      'Content-Type': 'image/png',
      // The image never changes: a new image has a new URL.
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  };
}

/**
 * `/avatar/7`, `/avatar/ada@example.com` and `…/medium` redirect to the avatar. If the caller may not see the user, or
 * the user does not exist, they redirect to the avatar for unknown users.
 */
export async function avatarRedirect(
  chat: Chat,
  { authentication, rateLimits }: { authentication: Authentication; rateLimits: RateLimits | undefined },
  path: string,
  req: IncomingMessage,
): Promise<Page> {
  const [, named, medium] = /^([^/]+)(\/medium)?$/.exec(path.slice(AVATAR.length + 1)) ?? [];
  if (named === undefined) throw new NotFound(path.slice(0, 200));
  const identity = await authentication.identify(req, 'spectator');
  await rateLimits?.take(req, identity.userId);
  const url = await transportOf(chat).avatarUrl(
    { ...identity, client: 'avatar' },
    decoded(named),
    medium !== undefined,
  );
  return {
    status: 302,
    bytes: Buffer.alloc(0),
    headers: {
      Location: url,
      'Cache-Control': 'private, no-cache',
      Vary: 'Authorization',
    },
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
