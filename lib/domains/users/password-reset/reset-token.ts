import { createHash, randomBytes } from 'node:crypto';
import { BadRequest } from '../../../kernel/errors.ts';
import { fold } from '../../../rules/fold.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isBot } from '../../../rules/roles.ts';
import type { Organization } from '../../../storage/interface/organization.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import type { User } from '../../../storage/interface/users.ts';

/** 256 random bits, encoded for a URL. */
export const newResetToken = () => randomBytes(32).toString('base64url');

/** In characters. Longer texts cannot be tokens. */
export const MAX_TOKEN_LENGTH = 100;

export const RESET_LINK_HOURS = 24;
const HOUR_MS = 3_600_000;
/** Links stored per account. */
const MAX_KEPT = 10;

export const resetLink = (baseUrl: string, token: string) => `${baseUrl}/accounts/password/reset/${token}/`;

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Changes with the password and the address, which makes all earlier links invalid. */
const accountState = (user: User) => sha256(`${user.password_hash ?? ''}\n${fold(user.delivery_email)}`);

/** Whether reset links can be created and used for the account. */
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
  const reset = { token_hash: tokenHash(token), user_id: user.id, account_state: accountState(user) };
  await tx.passwordResets.add({ ...reset, created_ms: now, is_mailed }, MAX_KEPT);
}

export const tokenHash = (token: string) => sha256(token);

/**
 * The account of a link.
 * @throws BadRequest if the link cannot be used; the message does not reveal why
 */
export async function accessResettable(
  { tx, organization, now }: { tx: Transaction; organization: Organization; now: number },
  token: string,
): Promise<User> {
  const reset = await tx.passwordResets.byToken(tokenHash(token));
  const user =
    reset && now < reset.created_ms + RESET_LINK_HOURS * HOUR_MS ? await tx.users.byId(reset.user_id) : undefined;
  if (!mayResetPassword(user, organization) || accountState(user) !== reset?.account_state) {
    throw new BadRequest(
      `This link does not work. A link works once, within ${RESET_LINK_HOURS} hours, until the password or address changes. Request a new link.`,
    );
  }
  return user;
}
