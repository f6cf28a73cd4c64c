import { type Chat, ChatError, type Session } from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import { checkSameSite } from '../authentication.ts';
import { RequestBody } from '../body.ts';
import type { ServerAnswer, ServerRequest } from '../exchange.ts';
import { EMAIL_RULES, type RateLimits } from '../rate-limits.ts';

/** Bytes. A password may have 1000 characters, each up to 12 bytes when encoded. */
const MAX_FORM = 32 * 1024;

/** A request for an account page, and the data for the page. */
export interface PageRequest {
  session: Session;
  /** Name of the organization. */
  organization: string;
  /** Description of the organization, as HTML. */
  description: string;
  /** The server address for apps. */
  site: string;
  /** Path the chat is mounted at, without a trailing slash. */
  base: string;
  signsInWithPasswords: boolean;
  sendsEmail: boolean;
  /** The fields of the submitted form. */
  form(): Promise<Readonly<Record<string, string | undefined>>>;
  /** Counts an e-mail for the rate limit. @throws RateLimitHit */
  countEmail(rule: keyof typeof EMAIL_RULES): Promise<void>;
  /** Records that the user logged in from this network. */
  rememberNetwork(email: string): Promise<void>;
}

/** The parts of the listener that the pages use. */
export interface PageContext {
  readonly chat: Chat;
  readonly rateLimits: RateLimits | undefined;
  readonly trustedOrigins: readonly string[];
}

/** @throws RateLimitHit, CsrfFailed for a form of another site */
export async function pageRequest(
  { chat, rateLimits, trustedOrigins }: PageContext,
  req: ServerRequest,
  res: ServerAnswer,
  base: string,
): Promise<PageRequest> {
  const transport = transportOf(chat);
  await rateLimits?.take(req, null);
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
    countEmail: async (rule) => rateLimits?.takeByAddress(req, EMAIL_RULES[rule]),
    rememberNetwork: async (email) => {
      if (rateLimits) await transport.rememberNetwork(email, rateLimits.addressOf(req));
    },
  };
}

/** The message of an error for the user. @throws other errors */
export function messageOf(error: unknown): string {
  if (error instanceof ChatError && error.status < 429) return error.message;
  throw error;
}
