import { BadRequest, type Entered } from '../../../lib/internal.ts';
import { html } from '../html.ts';
import { type Page, redirectTo } from '../page.ts';
import { accountPage, type PageRequest } from './account-page.ts';

/** The scheme of the links that Zulip apps open. */
const APP_SCHEME = 'zulip:';

/** Parameters of the login page, and what follows their one-time pad in a login attempt. */
const FLOWS = { mobile_flow_otp: '', terminal_flow_otp: 't' } as const;

/**
 * The one-time pad of an app or terminal that waits for its key. Undefined: the browser itself logs in.
 * @throws BadRequest
 */
export function appOtp({ req }: Pick<PageRequest, 'req'>): string | undefined {
  const { searchParams } = new URL(req.url ?? '/', 'http://localhost');
  for (const [name, mark] of Object.entries(FLOWS)) {
    const otp = searchParams.get(name);
    if (otp === null) continue;
    if (!/^[0-9a-fA-F]{64}$/.test(otp)) throw new BadRequest(`${name} must have 64 hexadecimal digits.`);
    return otp + mark;
  }
  return undefined;
}

/** The scheme of the link that a form of this page leads to. */
export const schemeAfter = (request: Pick<PageRequest, 'req'>): string | undefined =>
  appOtp(request) === undefined ? undefined : APP_SCHEME;

/** The query with which a page hands over the pad. */
export function appQuery(otp: string | undefined): string {
  if (otp === undefined) return '';
  return otp.endsWith('t') ? `?terminal_flow_otp=${otp.slice(0, -1)}` : `?mobile_flow_otp=${otp}`;
}

/**
 * Gives an app its key: opens a link of the app, or shows it. The key is encrypted with the pad of the app, because browsers may
 * remember the link. Always follows a new login: a copied cookie must not be enough for a key.
 * @throws ChatError
 */
export async function enterApp(request: PageRequest, account: Entered, otp: string): Promise<Page> {
  const { context, site } = request;
  const { email, api_key } = await context.transport.keyOf(account);
  const key = Buffer.from(api_key, 'latin1');
  const pad = Buffer.from(otp.slice(0, 64), 'hex');
  const query = new URLSearchParams({
    otp_encrypted_api_key: Buffer.from(key.map((byte, at) => byte ^ (pad[at] ?? 0))).toString('hex'),
    email,
    user_id: String(account.userId),
    realm: site,
  });
  const link = `${APP_SCHEME}//login?${query}`;
  if (otp.endsWith('t')) return linkPage(request, link);
  return redirectTo(link, { 'Referrer-Policy': 'no-referrer' }, 303);
}

/** A terminal opens no links: the user copies it. */
function linkPage({ organization }: PageRequest, link: string): Page {
  return accountPage(organization, {
    title: 'Copy this line into your terminal',
    body: html`<pre id="link">${link}</pre>
<p>Paste it only into the terminal where you have started this login. Never send it to another person: it opens your account.</p>`,
  });
}
