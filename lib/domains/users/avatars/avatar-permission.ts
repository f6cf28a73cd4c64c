import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isAdministrator } from '../../../rules/roles.ts';

/** Throws unless the caller may change their own avatar. */
export function checkMayChangeAvatar({ actor, organization }: AccountContext): void {
  if (organizationSetting(organization, 'avatar_changes_disabled') && !isAdministrator(actor)) {
    throw new BadRequest('Only administrators can change avatars in this organization.');
  }
}
