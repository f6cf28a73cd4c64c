import type { Organization } from '../../../model/organization.ts';
import type { User } from '../../../model/users.ts';
import { KNOWN_LOGIN_MS, loginDigest, MAX_KNOWN_LOGINS } from '../../../rules/known-logins.ts';
import type { ManualContext } from '../../../viewer/context.ts';
import { enqueueNotice } from '../passwords.ts';

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
  const used = [
    loginDigest(secret, user.id, 'client', program),
    ...(network === undefined ? [] : [loginDigest(secret, user.id, 'network', network)]),
  ];
  await transact('append', async (context) => {
    const { tx, now } = context;
    let isNew = false;
    for (const digest of used) {
      if (!(await tx.signInNetworks.isKnown(user.id, digest, now - KNOWN_LOGIN_MS))) isNew = true;
      await tx.signInNetworks.remember(user.id, digest, { now, limit: MAX_KNOWN_LOGINS });
    }
    if (!isNew) return;
    enqueueNotice(context, user, `New login to ${name}`, [
      `your account on ${services.options.baseUrl} was just used to sign in with ${program} (${new Date(now).toUTCString()}), from a device or network that is new for the account.`,
      'If this was not you, replace your API key (POST /users/me/api_key/regenerate) and contact an administrator.',
    ]);
  });
}
