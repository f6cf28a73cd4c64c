import { type Chat, ChatError, RateLimitHit, type Session } from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import { checkSameSite } from '../authentication.ts';
import { RequestBody } from '../body.ts';
import type { ServerAnswer, ServerRequest } from '../exchange.ts';
import type { EmailRule, RateLimits } from '../rate-limits.ts';

/** Bytes; a password may have 1000 characters, each of which takes up to twelve. */
const MAX_FORM = 32 * 1024;

/** A request for a page for people without an account, and what the page has to know. */
export interface PageRequest {
  session: Session;
  /** Name of the organization. */
  organization: string;
  /** What it says of itself, as HTML. */
  description: string;
  /** Where apps find it. */
  site: string;
  /** Path the chat is mounted at, without a trailing slash. */
  base: string;
  signsInWithPasswords: boolean;
  sendsEmail: boolean;
  /** What was sent with it. */
  form(): Promise<Readonly<Record<string, string | undefined>>>;
  /** Counts that an e-mail may go out. @throws RateLimitHit */
  countEmail(rule: EmailRule): void;
  /** Somebody has chosen a password from here. */
  rememberNetwork(email: string): Promise<void>;
}

/** What these pages share of the listener. */
export interface PageContext {
  readonly chat: Chat;
  readonly rateLimits: RateLimits | undefined;
  readonly trustedOrigins: readonly string[];
}

/** @throws RateLimitHit; CsrfFailed for a form of another site */
export async function pageRequest(
  { chat, rateLimits, trustedOrigins }: PageContext,
  req: ServerRequest,
  res: ServerAnswer,
  base: string,
): Promise<PageRequest> {
  const transport = transportOf(chat);
  const { retryAfter } = rateLimits?.take(req, null, false) ?? {};
  if (retryAfter !== undefined) throw new RateLimitHit(retryAfter);
  checkSameSite(req, [...trustedOrigins, new URL(transport.baseUrl).origin]);
  const session = chat.anonymous({ client: 'website' });
  const { realm_name, realm_description, email_auth_enabled } = await session.serverSettings.get();
  return {
    session,
    organization: realm_name,
    description: realm_description,
    site: transport.baseUrl,
    base,
    signsInWithPasswords: email_auth_enabled,
    sendsEmail: transport.sendsEmail,
    form: async () => (await new RequestBody(req, res, MAX_FORM).form())?.fields ?? {},
    countEmail: (rule) => rateLimits?.takeEmail(req, rule),
    rememberNetwork: async (email) => {
      if (rateLimits) await transport.rememberNetwork(email, rateLimits.addressOf(req));
    },
  };
}

/** For people. @throws what is no refusal */
export function messageOf(error: unknown): string {
  if (error instanceof ChatError && error.status < 429) return error.message;
  throw error;
}
