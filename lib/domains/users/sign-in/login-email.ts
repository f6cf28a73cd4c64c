import type { Organization } from '../../../model/organization.ts';
import type { User } from '../../../model/users.ts';
import { KNOWN_LOGIN_MS, loginDigest, MAX_KNOWN_LOGINS } from '../../../rules/known-logins.ts';
import type { ManualContext } from '../../../viewer/context.ts';
import { enqueueNotice } from '../passwords.ts';

/** How long a browser stays logged in. */
const COOKIE_MS = 30 * 24 * 3_600_000;

/**
 * Sends an e-mail about a login with the password, if the account has not used the program or the network before.
 * The table of networks remembers both.
 */
export async function mailAboutNewLogin(
  { services, client, browser, network, transact }: ManualContext<'anyone'>,
  user: User,
  { name, secret }: Organization,
): Promise<void> {
  if (!services.options.mail || user.settings.enable_login_emails === false) return;
  // All browsers have the same client name.
  const program = browser ?? client;
  const digestOf = (kind: 'client' | 'network', name: string) => loginDigest(secret, user.id, kind, name);
  await transact('append', async (context) => {
    const { tx, now } = context;
    const isKnown = (digest: string, ms = KNOWN_LOGIN_MS) => tx.signInNetworks.isKnown(user.id, digest, now - ms);
    const remember = (digest: string) => tx.signInNetworks.remember(user.id, digest, { now, limit: MAX_KNOWN_LOGINS });
    const [ofProgram, ofNetwork] = [digestOf('client', program), network && digestOf('network', network)];
    const isKnownNetwork = !ofNetwork || (await isKnown(ofNetwork));
    // Earlier versions stored the same name for all browsers. A browser in use logs in again within this time.
    const wasKnown = browser !== undefined && isKnownNetwork && (await isKnown(digestOf('client', client), COOKIE_MS));
    const isNew = !isKnownNetwork || !(wasKnown || (await isKnown(ofProgram)));
    await remember(ofProgram);
    if (ofNetwork) await remember(ofNetwork);
    if (!isNew) return;
    enqueueNotice(context, user, `New login to ${name}`, [
      `your account on ${services.options.baseUrl} was just used to sign in with ${program} (${new Date(now).toUTCString()}), from a device or network that is new for the account.`,
      'If this was not you, replace your API key (POST /users/me/api_key/regenerate) and contact an administrator.',
    ]);
  });
}
