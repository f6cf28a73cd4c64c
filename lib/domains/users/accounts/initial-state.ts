import { membershipOf } from '../../../access/membership.ts';
import { apiEmail, avatarUrl, unknownUserView, userView } from '../../../access/user-view.ts';
import { visibleUserIds } from '../../../access/users.ts';
import type { Snapshot } from '../../../kernel/context.ts';
import { organizationPermission } from '../../../rules/organization-settings.ts';
import { hasPermission } from '../../../rules/permissions.ts';
import { isAdministrator, isGuest, isModerator, isOwner } from '../../../rules/roles.ts';

/** Everybody, and what the caller may do. */
export async function peopleState({ context, options }: Snapshot) {
  const { tx, actor, organization, services } = context;
  await services.directory.refresh(tx, organization);
  const view = { client_gravatar: options.client_gravatar, include_custom_profile_fields: true };
  const visible = await visibleUserIds(context, actor);
  const list = (selection: { systemBots?: boolean; active?: boolean }) => {
    if (!visible) return services.directory.list(actor, organization, view, selection);
    const chosen = [...services.directory.all()].filter(
      (user) =>
        user.is_system_bot === (selection.systemBots ?? false) &&
        (selection.active ?? user.is_active) === user.is_active,
    );
    return chosen
      .filter((user) => visible.has(user.id) || !options.client_capabilities.user_list_incomplete)
      .map((user) =>
        visible.has(user.id) ? userView(user, actor, organization, view) : unknownUserView(user, organization, view),
      );
  };
  const membership = await membershipOf(context, actor);
  const may = (key: Parameters<typeof organizationPermission>[1]) =>
    hasPermission(organizationPermission(organization, key), membership, { guests: false });
  const createsPrivate = may('can_create_private_channel_group');
  const createsPublic = may('can_create_public_channel_group');
  return {
    realm_users: list({ active: true }),
    realm_non_active_users: list({ active: false }),
    cross_realm_bots: list({ systemBots: true }),
    user_id: actor.id,
    email: apiEmail(actor, organization),
    delivery_email: actor.delivery_email,
    full_name: actor.full_name,
    avatar_source: actor.avatar_source,
    avatar_url: avatarUrl(actor),
    avatar_url_medium: avatarUrl(actor),
    is_owner: isOwner(actor),
    is_admin: isAdministrator(actor),
    is_moderator: isModerator(actor),
    is_guest: isGuest(actor),
    can_create_private_streams: createsPrivate,
    can_create_public_streams: createsPublic,
    can_create_streams: createsPrivate || createsPublic,
    can_create_web_public_streams: may('can_create_web_public_channel_group'),
    can_subscribe_other_users: may('can_add_subscribers_group'),
    can_invite_others_to_realm: may('can_invite_users_group'),
  };
}
