import { SecondFactorNeeded } from '../base/errors.ts';
import { optional, text } from '../base/schemas.ts';
import type { Organization } from '../model/organization.ts';
import type { Role } from '../model/users.ts';
import { organizationSetting, ROLES_BY_SETTING } from '../rules/organization-settings.ts';
import { MEMBER } from '../rules/roles.ts';
import type { AccountContext } from './context.ts';

const MAX_CODE_LENGTH = 100;

/** For operations that call `checkConfirmed` (`mayNeedCode`). */
export const confirmationCode = optional(
  text(MAX_CODE_LENGTH),
  'Code of your authenticator app, or a recovery code. Required if `second_factor_required_for` includes the role of the account in question, for roles above member. Not for programs that call the library.',
);

export const NO_FACTOR =
  'This needs your second factor, and your account has none. Set it up in the settings first. A bot cannot do this.';

/** Whether the organization requires a second factor for this role. Without passwords, it protects nothing. */
export const needsFactor = (organization: Pick<Organization, 'settings'>, role: Role): boolean =>
  organizationSetting(organization, 'password_login') &&
  role <= ROLES_BY_SETTING[organizationSetting(organization, 'second_factor_required_for')];

/**
 * Whether access to accounts with this role needs a confirmation. Not that of members and guests: programs create them by
 * the thousand, and no key of theirs gives more rights.
 */
export const isGuarded = (organization: Pick<Organization, 'settings'>, role: Role): boolean =>
  role < MEMBER && needsFactor(organization, role);

/**
 * Checks a call that creates an account with this role, raises one to it, or shows or replaces what it logs in with.
 * Otherwise, a stolen API key of an administrator would live on in another account.
 * @throws SecondFactorNeeded
 */
export async function checkConfirmed(
  { tx, actor, organization, isConfirmed }: Pick<AccountContext, 'tx' | 'actor' | 'organization' | 'isConfirmed'>,
  role: Role,
): Promise<void> {
  if (isConfirmed || !isGuarded(organization, role)) return;
  const factor = await tx.secondFactors.of(actor.id);
  throw factor?.is_on
    ? new SecondFactorNeeded(
        'code_missing',
        'This needs your second factor. Send a code of your authenticator app, or a recovery code, as `code`.',
      )
    : new SecondFactorNeeded('not_set_up', NO_FACTOR);
}
