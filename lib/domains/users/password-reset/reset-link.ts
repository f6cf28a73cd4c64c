import { createHash } from 'node:crypto';
import { BadRequest } from '../../../base/errors.ts';
import type { Organization } from '../../../model/organization.ts';
import type { User } from '../../../model/users.ts';
import { emailKey } from '../../../rules/fold.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isBot, withArticle } from '../../../rules/roles.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import type { PasswordReset } from '../../../storage/interface/users.ts';
import { isGuarded } from '../../../viewer/confirmation.ts';
import { COUNTED_MS, defineLinkEmail, isMailedTooOften } from '../link-email.ts';

/** In characters. Longer texts cannot be tokens. */
export const MAX_TOKEN_LENGTH = 100;

export const RESET_LINK_HOURS = 24;
/** The link in the e-mail about a new account works longer: its reader may be away for some days. */
export const FIRST_LINK_DAYS = 7;
/** Begins the token of such a link. */
const FIRST = 'first-';
const HOUR_MS = 3_600_000;
export const FIRST_LINK_MS = FIRST_LINK_DAYS * 24 * HOUR_MS;
const lifetimeMs = (token: string) => (token.startsWith(FIRST) ? FIRST_LINK_MS : RESET_LINK_HOURS * HOUR_MS);
/** Links stored per account. */
const MAX_KEPT = 10;

export const resetLink = (baseUrl: string, token: string) => `${baseUrl}/accounts/password/reset/${token}/`;

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Changes with the password and the address, which makes all earlier links invalid. */
export const accountState = (user: User) => sha256(`${user.password_hash ?? ''}\n${emailKey(user.delivery_email)}`);

export function mayResetPassword(user: User | undefined, organization: Organization): user is User {
  if (!user?.is_active || isBot(user) || user.is_system_bot) return false;
  return organizationSetting(organization, 'password_login') === true;
}

/** Stores a hash of the token, from which the link cannot be recovered. */
export async function storeResetToken(
  tx: Transaction,
  user: User,
  { token, now, is_mailed }: { token: string; now: number; is_mailed: boolean },
): Promise<void> {
  await storeLink(tx, user, { token_hash: sha256(token), new_email: null, created_ms: now, is_mailed });
}

/** Stores a link of an account, which works until its password or address changes. */
export async function storeLink(
  tx: Transaction,
  user: User,
  link: Omit<PasswordReset, 'user_id' | 'account_state'>,
): Promise<void> {
  await tx.passwordResets.add({ ...link, user_id: user.id, account_state: accountState(user) }, MAX_KEPT);
}

/** The account, and whether the link was mailed to its address. The error does not reveal why the link cannot be used. */
export async function accessResettable(
  { tx, organization, now }: { tx: Transaction; organization: Organization; now: number },
  token: string,
): Promise<{ user: User; isMailed: boolean }> {
  const reset = await tx.passwordResets.byToken(sha256(token));
  const user = reset && now < reset.created_ms + lifetimeMs(token) ? await tx.users.byId(reset.user_id) : undefined;
  if (
    !mayResetPassword(user, organization) ||
    !reset ||
    reset.new_email ||
    accountState(user) !== reset.account_state
  ) {
    throw new BadRequest(
      `This link does not work. A link works once, within ${token.startsWith(FIRST) ? `${FIRST_LINK_DAYS} days` : `${RESET_LINK_HOURS} hours`}, until the password or address changes. Request a new link.`,
    );
  }
  return { user, isMailed: reset.is_mailed };
}

export const sendResetEmail = defineLinkEmail<{ email: string }>('password reset', {
  async issue({ tx, organization, services, now }, { email }, token) {
    const user = await tx.users.byEmail(email);
    if (!mayResetPassword(user, organization)) return undefined;
    if (isMailedTooOften(await tx.passwordResets.mailedSince(user.id, now - COUNTED_MS, { changes: false }), now))
      return undefined;
    await storeResetToken(tx, user, { token, now, is_mailed: true });
    const { baseUrl } = services.options;
    return {
      to: user.delivery_email,
      subject: `Reset your password for ${organization.name}`,
      greeting: `Hello ${user.full_name},`,
      opening: [`someone asked to reset the password of your account in ${organization.name}, on ${baseUrl}.`],
      invitation: 'To choose a new password, open',
      link: resetLink(baseUrl, token),
      button: 'Choose a new password',
      after: [`The link works once, within ${RESET_LINK_HOURS} hours.`],
      closing: 'If this was not you, ignore this e-mail. Your password does not change.',
    };
  },
  uncount: (tx, token) => tx.passwordResets.uncount(sha256(token)),
});

/**
 * Tells a person of the new account, or of a role that has ended the password. Skips accounts that have a password, and
 * those that need no link.
 */
export const sendFirstLinkEmail = defineLinkEmail<{ user_id: number; hasNewRole?: true; needsLink?: boolean }>(
  'first password',
  {
    async issue({ tx, organization, services, now }, { user_id, hasNewRole, needsLink = true }, token) {
      const user = needsLink ? await tx.users.byId(user_id) : undefined;
      if (!mayResetPassword(user, organization) || user.password_hash !== null) return undefined;
      await storeResetToken(tx, user, { token: FIRST + token, now, is_mailed: true });
      const { baseUrl } = services.options;
      const place = `${organization.name}, on ${baseUrl}`;
      // The role, or the setting, may have changed since.
      const isRaised = hasNewRole && isGuarded(organization, user.role);
      const ended = isRaised
        ? [
            `you are now ${withArticle(user.role)} of ${place}.`,
            'This role needs a second factor. So your password and your logins have ended. Choose a new password and log in.',
          ]
        : [
            `your role in ${place}, was changed. So your password and your logins have ended. Choose a new password and log in.`,
          ];
      return {
        to: user.delivery_email,
        subject: `Your ${isRaised ? 'new role' : 'account'} in ${organization.name}`,
        greeting: `Hello ${user.full_name},`,
        opening: hasNewRole ? ended : [`you have an account in ${place}. Log in with this address.`],
        invitation: 'To choose a password, open',
        link: resetLink(baseUrl, FIRST + token),
        button: 'Choose a password',
        after: [
          `The link works once, within ${FIRST_LINK_DAYS} days. Later, request a new link on the page to log in: "Forgot your password?".`,
        ],
        closing: hasNewRole
          ? 'If you did not expect this, contact an administrator.'
          : 'If you do not know this organization, ignore this e-mail.',
      };
    },
    uncount: (tx, token) => tx.passwordResets.uncount(sha256(FIRST + token)),
  },
);
