import { channelAudience } from '../../access/channel-audience.ts';
import { userView } from '../../access/user-view.ts';
import type { WriteContext } from '../../kernel/context.ts';
import type { Audience, EventDraft } from '../../kernel/event.ts';

import { organizationPermission } from '../../rules/organization-settings.ts';
import { systemGroupId } from '../../rules/system-groups.ts';
import type { Organization, User } from '../../storage/storage.ts';
import { onlyIfShown } from '../channels/archived-channels.ts';

/** Everybody, unless guests are kept from seeing people they do not know. */
export function whoSeesAccounts(organization: Organization): Audience {
  const open = organizationPermission(organization, 'can_access_all_users_group') === systemGroupId('role:everyone');
  return { scope: open ? 'everyone' : 'members' };
}

/** A new account. The event keeps the real address with its visibility; each reader gets what they may see. */
export function accountAdded(organization: Organization, user: User): EventDraft {
  const anyViewer = { id: user.id, role: user.role };
  const person = userView(user, anyViewer, organization, {
    client_gravatar: false,
    include_custom_profile_fields: true,
  });
  return {
    audience: whoSeesAccounts(organization),
    event: { type: 'realm_user', op: 'add', person: { ...person, email_visibility: user.email_visibility } },
  };
}

export function accountUpdated(
  organization: Organization,
  person: { user_id: number } & Record<string, unknown>,
): EventDraft {
  return { audience: whoSeesAccounts(organization), event: { type: 'realm_user', op: 'update', person } };
}

/** Subscriber lists name active accounts only: (de)activation adds the account to them or takes it out. */
export async function subscriberListsChanged(
  scope: WriteContext,
  userId: number,
  op: 'peer_add' | 'peer_remove',
): Promise<void> {
  const subscriptions = await scope.tx.subscriptions.ofUser(userId);
  if (subscriptions.length === 0) return;
  const channels = await scope.tx.channels.byIds(subscriptions.map((subscription) => subscription.channel_id));
  for (const channel of channels) {
    scope.emit({
      ...onlyIfShown(channel),
      audience: { ...(await channelAudience(scope, channel)), except: [userId] },
      event: { type: 'subscription', op, stream_ids: [channel.id], user_ids: [userId] },
    });
  }
}
