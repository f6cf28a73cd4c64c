import type { WriteContext } from '../../../kernel/context.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import type { User } from '../../../storage/interface/users.ts';
import { notifyUser, silentMention, welcomeUser } from '../../messages/notification-bot.ts';
import type { ValidInvitation } from './invitation-validity.ts';

/** Notifies the inviter, if they asked for it, and sends the welcome message to the new user. */
export async function welcome(
  context: WriteContext,
  { invitation, inviter }: ValidInvitation,
  user: User,
): Promise<void> {
  if (invitation.email !== null && invitation.notify_referrer_on_join) {
    await notifyUser(context, inviter, `${silentMention(user)} has accepted your invitation and joined.`);
  }
  const standard = organizationSetting(context.organization, 'welcome_message_custom_text');
  // A custom message counts only while its inviter is an administrator.
  const custom = isAdministrator(inviter) ? invitation.welcome_message_custom_text : null;
  const text = (custom ?? standard).trim();
  if (text !== '') await welcomeUser(context, user, text);
}
