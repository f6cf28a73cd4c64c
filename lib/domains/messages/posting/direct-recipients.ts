import { membershipFor } from '../../../access/membership.ts';
import { apiEmail } from '../../../access/user-view.ts';
import { accessNamedUsers } from '../../../access/users.ts';
import type { ReadContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { organizationPermission } from '../../../rules/organization-settings.ts';
import { ORGANIZATION_PERMISSIONS } from '../../../rules/permission-settings.ts';
import { hasPermission } from '../../../rules/permissions.ts';
import { systemGroupId } from '../../../rules/system-groups.ts';
import type { User } from '../../../storage/interface/users.ts';

const MAX_PARTICIPANTS = 1_000;

/**
 * The participants of a direct message, including the sender, ordered by ID.
 * @throws BadRequest for deactivated recipients, for recipients that the sender cannot see, and if the organization
 *   does not allow the message
 */
export async function directParticipants(
  context: ReadContext,
  sender: User,
  to: readonly (number | string)[],
): Promise<User[]> {
  if (to.length === 0) throw new BadRequest('A direct message needs at least one recipient.');
  if (to.length > MAX_PARTICIPANTS)
    throw new BadRequest(`A direct message can have at most ${MAX_PARTICIPANTS} recipients.`);
  const recipients = await accessNamedUsers(context, sender, to, { systemBots: true });
  for (const user of recipients) {
    if (!user.is_active)
      throw new BadRequest(`${apiEmail(user, context.organization)} is deactivated and cannot receive messages.`);
  }
  const participants = new Map(recipients.map((user) => [user.id, user]));
  participants.set(sender.id, sender);
  const people = [...participants.values()].sort((a, b) => a.id - b.id);
  await checkPolicy(context, sender, people);
  return people;
}

/**
 * At least one participant must be allowed to use direct messages. Starting a conversation needs another permission.
 * Neither applies to messages from a bot, or to conversations with only bots.
 */
async function checkPolicy(context: ReadContext, sender: User, people: readonly User[]): Promise<void> {
  const others = people.filter((user) => user.id !== sender.id);
  if (sender.bot_type !== null || others.every((user) => user.bot_type !== null)) return;
  const permission = organizationPermission(context.organization, 'direct_message_permission_group');
  if (permission === systemGroupId('role:nobody'))
    throw new BadRequest('This organization does not allow direct messages.');
  const guests = ORGANIZATION_PERMISSIONS.direct_message_permission_group.everyone;
  if (!(await isGrantedToAny()))
    throw new BadRequest('At least one participant must be allowed to use direct messages.');
  const initiator = organizationPermission(context.organization, 'direct_message_initiator_group');
  const isInitiator = { guests, setting: 'direct_message_initiator_group' };
  if (hasPermission(initiator, await membershipFor(context, sender, [initiator]), isInitiator)) return;
  if (await context.tx.conversations.direct(people.map((user) => user.id))) return;
  throw new BadRequest('You are not allowed to start direct conversations.');

  async function isGrantedToAny(): Promise<boolean> {
    const setting = 'direct_message_permission_group';
    for (const user of people) {
      if (hasPermission(permission, await membershipFor(context, user, [permission]), { guests, setting })) return true;
    }
    return false;
  }
}
