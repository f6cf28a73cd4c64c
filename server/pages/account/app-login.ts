import { BadRequest } from '../../../lib/internal.ts';
import { type Page, redirectTo } from '../page.ts';
import type { PageRequest } from './account-page.ts';

/** The scheme of the links that Zulip apps open. */
export const APP_SCHEME = 'zulip:';

/**
 * The one-time pad of an app that has opened this page and waits for its key. Undefined: the browser itself logs in.
 * @throws BadRequest
 */
export function appOtp({ req }: Pick<PageRequest, 'req'>): string | undefined {
  const { searchParams } = new URL(req.url ?? '/', 'http://localhost');
  const otp = searchParams.get('mobile_flow_otp');
  if (otp === null) return undefined;
  if (!/^[0-9a-fA-F]{64}$/.test(otp)) throw new BadRequest('mobile_flow_otp must have 64 hexadecimal digits.');
  return otp;
}

/**
 * Gives an app its key: opens a link of the app. The key is encrypted with the pad of the app, because browsers may
 * remember the link. Always follows a new login: a copied cookie must not be enough for a key.
 */
export async function enterApp({ context, site }: PageRequest, userId: number, otp: string): Promise<Page> {
  const { email, api_key } = await context.transport.keyOf(userId);
  const key = Buffer.from(api_key, 'latin1');
  const pad = Buffer.from(otp, 'hex');
  const query = new URLSearchParams({
    otp_encrypted_api_key: Buffer.from(key.map((byte, at) => byte ^ (pad[at] ?? 0))).toString('hex'),
    email,
    user_id: String(userId),
    realm: site,
  });
  return redirectTo(`${APP_SCHEME}//login?${query}`, { 'Referrer-Policy': 'no-referrer' }, 303);
}
