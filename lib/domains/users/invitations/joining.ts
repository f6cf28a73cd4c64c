import { present } from '../../../base/present.ts';
import type { User } from '../../../model/users.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import type { WriteContext } from '../../../viewer/context.ts';
import { notifyUser, silentMention, welcomeUser } from '../../messages/notification-bot.ts';
import { joinGroups } from '../../user-groups/memberships.ts';
import { createAccounts, type NewPerson } from '../account-creation.ts';
import { emitInvitesChanged, type ValidInvitation } from './invitation.ts';

/** Creates the account of a person who accepts an invitation. The caller has checked both. */
export async function joinByInvitation(
  context: WriteContext,
  offer: ValidInvitation,
  person: NewPerson,
): Promise<User> {
  const { tx, now } = context;
  const user = present((await createAccounts(context, [person], offer.channels))[0]);
  await joinGroups(context, offer.groups, user);
  const { invitation } = offer;
  if (invitation.email !== null) await tx.invitations.end(invitation.id, 'accepted', now);
  else await tx.emailVerifications.use(person.email);
  await tx.invitations.revokeFor(person.email, now);
  await emitInvitesChanged(context, invitation.invited_by_user_id);
  await welcome(context, offer, user);
  return user;
}

/** Notifies the inviter, if they asked for it, and sends the welcome message to the new user. */
async function welcome(context: WriteContext, { invitation, inviter }: ValidInvitation, user: User): Promise<void> {
  if (invitation.email !== null && invitation.notify_referrer_on_join && !inviter.is_system_bot) {
    await notifyUser(context, inviter, `${silentMention(user)} has accepted your invitation and joined.`);
  }
  const standard = organizationSetting(context.organization, 'welcome_message_custom_text');
  // A custom message counts only while its inviter is an administrator.
  const custom = isAdministrator(inviter) ? invitation.welcome_message_custom_text : null;
  const text = (custom ?? standard).trim();
  if (text !== '') await welcomeUser(context, user, text);
}
