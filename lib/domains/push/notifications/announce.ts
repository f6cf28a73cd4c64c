import type { WriteContext } from '../../../kernel/context.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import { type AnnouncedMessage, fanOut } from './fan-out.ts';

/** Users and groups that a message mentions. */
interface Named {
  users: readonly number[];
  groups: readonly { id: number }[];
}

/**
 * Enqueues the push notifications of a message, if a recipient has a device. Call it in the transaction that stores the
 * message. Does not check for a relay: only the worker's process may have one configured.
 */
export async function announceMessage(
  context: WriteContext,
  message: { id: number; sender_id: number },
  { id, channel_id, participants }: Pick<Conversation, 'id' | 'channel_id' | 'participants'>,
  named: Named = { users: [], groups: [] },
): Promise<void> {
  const { services, pushVersion, enqueue } = context;
  if (pushVersion === 0) return;
  const { pushOwners } = services;
  const isAnyNotified = await (channel_id === null
    ? pushOwners.areAmong(context, { id, participants }, message.sender_id)
    : pushOwners.areIn(context, channel_id, message.sender_id));
  if (isAnyNotified) enqueue(fanOut(announcing(message.id, named)));
}

/** Like announceMessage(), but only for users mentioned in an edited channel message. */
export async function announceMentions(
  context: WriteContext,
  { id, sender_id }: { id: number; sender_id: number },
  channelId: number,
  named: Named,
): Promise<void> {
  const { services, pushVersion, enqueue } = context;
  if (pushVersion === 0) return;
  if (await services.pushOwners.areIn(context, channelId, sender_id)) {
    enqueue(fanOut({ ...announcing(id, named), only_mentions: true }));
  }
}

function announcing(message_id: number, { users, groups }: Named): AnnouncedMessage {
  if (groups.length === 0) return { message_id };
  return { message_id, named_users: [...users], named_groups: groups.map((group) => group.id) };
}

/** Like announceMessage() for many messages from one sender to given recipients, with one query. */
export async function announceToEach(
  { tx, pushVersion, enqueue }: WriteContext,
  senderId: number,
  messages: readonly { id: number; receivers: readonly number[] }[],
): Promise<void> {
  if (pushVersion === 0 || messages.length === 0) return;
  const users = [...new Set(messages.flatMap(({ receivers }) => receivers))].filter((id) => id !== senderId);
  const owners = new Set(await tx.pushDevices.someOwners({ users }, users.length));
  for (const { id, receivers } of messages) {
    if (receivers.some((user) => owners.has(user))) enqueue(fanOut({ message_id: id }));
  }
}
