import { usersByAddress } from '../../../access/addressed-users.ts';
import { membershipFor } from '../../../access/membership.ts';
import { apiEmail } from '../../../access/user-view.ts';
import { visibleUserIds } from '../../../access/users.ts';
import type { ReadContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';

import { organizationPermission } from '../../../rules/organization-settings.ts';
import { ORGANIZATION_PERMISSIONS } from '../../../rules/permission-settings.ts';
import { hasPermission } from '../../../rules/permissions.ts';
import { systemGroupId } from '../../../rules/system-groups.ts';
import type { User } from '../../../storage/storage.ts';

/** Everybody in one direct conversation at most. */
const MAX_PARTICIPANTS = 1_000;

/**
 * The people of a direct message, the sender included, ordered by id (reference 4.4). Refuses unknown,
 * invisible and deactivated recipients and what the organization's policy forbids.
 */
export async function directParticipants(
  scope: ReadContext,
  sender: User,
  to: readonly (number | string)[],
): Promise<User[]> {
  if (to.length === 0) throw new BadRequest('A direct message needs at least one recipient.');
  if (to.length > MAX_PARTICIPANTS)
    throw new BadRequest(`A direct message has at most ${MAX_PARTICIPANTS} recipients.`);
  const recipients = await resolve(scope, sender, to);
  const visible = await visibleUserIds(scope, sender);
  for (const user of recipients) {
    if (visible && !user.is_system_bot && !visible.has(user.id))
      throw new BadRequest('You cannot write to somebody you cannot see.');
  }
  for (const user of recipients) {
    if (!user.is_active)
      throw new BadRequest(`${apiEmail(user, scope.organization)} has been deactivated and receives no messages.`);
  }
  const participants = new Map(recipients.map((user) => [user.id, user]));
  participants.set(sender.id, sender);
  const people = [...participants.values()].sort((a, b) => a.id - b.id);
  await checkPolicy(scope, sender, people);
  return people;
}

async function resolve(scope: ReadContext, sender: User, to: readonly (number | string)[]): Promise<User[]> {
  const ids = to.filter((one) => typeof one === 'number');
  const users = new Map<number, User>();
  for (const user of ids.length > 0 ? await scope.tx.users.byIds(ids) : []) users.set(user.id, user);
  const unknownId = ids.find((id) => !users.has(id));
  if (unknownId !== undefined) throw new BadRequest(`There is no user with ID ${unknownId}.`);
  const addresses = to.filter((one) => typeof one === 'string');
  const addressed = addresses.length > 0 ? await usersByAddress(scope, sender, addresses) : new Map<string, User>();
  const unknownAddress = addresses.find((address) => !addressed.has(address));
  if (unknownAddress !== undefined)
    throw new BadRequest(`There is no user with the address "${unknownAddress.trim()}".`);
  for (const user of addressed.values()) users.set(user.id, user);
  return [...users.values()];
}

async function checkPolicy(scope: ReadContext, sender: User, people: readonly User[]): Promise<void> {
  const others = people.filter((user) => user.id !== sender.id);
  if (sender.bot_type !== null || others.every((user) => user.bot_type !== null)) return;
  const permission = organizationPermission(scope.organization, 'direct_message_permission_group');
  if (permission === systemGroupId('role:nobody'))
    throw new BadRequest('Direct messages are switched off in this organization.');
  const guests = { guests: ORGANIZATION_PERMISSIONS.direct_message_permission_group.everyone };
  let allowed = false;
  for (const user of people) {
    if (hasPermission(permission, await membershipFor(scope, user, [permission]), guests)) {
      allowed = true;
      break;
    }
  }
  if (!allowed) throw new BadRequest('Nobody in this conversation may take part in direct messages.');
  const initiator = organizationPermission(scope.organization, 'direct_message_initiator_group');
  if (hasPermission(initiator, await membershipFor(scope, sender, [initiator]), guests)) return;
  if (await scope.tx.conversations.direct(people.map((user) => user.id))) return;
  throw new BadRequest('You are not allowed to start direct conversations.');
}
