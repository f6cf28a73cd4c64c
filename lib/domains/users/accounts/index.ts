import type { User } from '../../../model/users.ts';
import { defineFeature } from '../../../operation/feature.ts';
import { organizationPermission } from '../../../rules/organization-settings.ts';
import type { OrganizationPermission } from '../../../rules/permission-settings.ts';
import { hasPermission } from '../../../rules/permissions.ts';
import { isAdministrator, isGuest, isModerator, isOwner, roomsOf } from '../../../rules/roles.ts';
import type { Snapshot } from '../../../viewer/context.ts';
import { avatarFields } from '../../../views/avatars.ts';
import { accountCreated, accountHidden } from '../../../views/shared-events.ts';
import { apiEmail, unknownUserView, userView } from '../../../views/user-view.ts';
import { tellShownPermissions } from '../activation.ts';
import { createUser } from './create.ts';
import { createManyUsers } from './create-many.ts';
import { deactivateUser } from './deactivate.ts';
import { deactivateMe } from './deactivate-me.ts';
import { editUser } from './edit.ts';
import { editUserByEmail } from './edit-by-email.ts';
import { ensureUser } from './ensure.ts';
import { accountUpdated } from './events.ts';
import { getUser } from './get.ts';
import { getUserByEmail } from './get-by-email.ts';
import { listUsers } from './list.ts';
import { getMe } from './me.ts';
import { reactivateUser } from './reactivate.ts';
import { regenerateApiKey } from './regenerate-api-key.ts';
import { searchUsers } from './search.ts';

/**
 * Accounts of people and bots. The row of a deactivated or erased account stays, because messages refer to their
 * senders.
 * Every change is sent to the users who can see the account.
 */
export const accounts = defineFeature({
  operations: [
    listUsers,
    searchUsers,
    getMe,
    getUser,
    getUserByEmail,
    createUser,
    ensureUser,
    createManyUsers,
    editUser,
    editUserByEmail,
    deactivateUser,
    deactivateMe,
    reactivateUser,
    regenerateApiKey,
  ],
  events: [accountCreated, accountUpdated, accountHidden],
  initialState: { realm_user: accountsState },
  outbox: [tellShownPermissions],
});

/** All accounts as the caller sees them, the caller's own account, and the caller's permissions. */
async function accountsState({ context, options }: Snapshot) {
  const { actor, organization } = context;
  const accounts = await context.accounts();
  const view = { client_gravatar: options.client_gravatar, include_custom_profile_fields: true };
  const visible = await context.viewer.visibleUserIds();
  const list = ({ systemBots = false, active }: { systemBots?: boolean; active?: boolean }) => {
    if (!visible) return accounts.json(actor, view, { systemBots, active });
    const isHidden = ({ id }: User) => !visible.has(id);
    const isListed = (user: User) => {
      if (user.is_system_bot !== systemBots) return false;
      // A hidden account counts as active: its state must not leak.
      if (active !== undefined && active !== (user.is_active || isHidden(user))) return false;
      return !isHidden(user) || !(options.client_capabilities.user_list_incomplete || roomsOf(actor));
    };
    const show = (user: User) =>
      isHidden(user) ? unknownUserView(context, user, view) : userView(context, user, view);
    return accounts.all().filter(isListed).map(show);
  };
  const membership = await context.viewer.membership();
  const isGranted = (key: OrganizationPermission) =>
    hasPermission(organizationPermission(organization, key), membership, { guests: false, setting: key });
  const mayCreatePrivate = isGranted('can_create_private_channel_group');
  const { avatar_version, ...picture } = avatarFields(actor, organization);
  const mayCreatePublic = isGranted('can_create_public_channel_group');
  return {
    realm_users: list({ active: true }),
    realm_non_active_users: list({ active: false }),
    cross_realm_bots: list({ systemBots: true }),
    user_id: actor.id,
    email: apiEmail(actor, organization),
    delivery_email: actor.delivery_email,
    full_name: actor.full_name,
    ...picture,
    is_owner: isOwner(actor),
    is_admin: isAdministrator(actor),
    is_moderator: isModerator(actor),
    is_guest: isGuest(actor),
    can_create_private_streams: mayCreatePrivate,
    can_create_public_streams: mayCreatePublic,
    can_create_streams: mayCreatePrivate || mayCreatePublic,
    can_create_web_public_streams: isGranted('can_create_web_public_channel_group'),
    can_subscribe_other_users: isGranted('can_add_subscribers_group'),
    can_invite_others_to_realm: isGranted('can_invite_users_group'),
  };
}
