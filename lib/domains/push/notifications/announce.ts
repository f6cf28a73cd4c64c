import type { WriteContext } from '../../../kernel/context.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import { type AnnouncedMessage, fanOut } from './fan-out.ts';

/** People and groups that a message names. */
interface Named {
  users: readonly number[];
  groups: readonly { id: number }[];
}

/**
 * Lets those be notified of a message who are to be, in background work: whoever sends waits for none of it but a
 * row, and for nothing where no receiver has a device. Whether there is a relay is for the worker to know: others
 * write beside the server that has one. To be called in the transaction that stores the message.
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

/** Likewise those whom a message of a channel mentions since it was edited, and nobody else. */
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

/** Likewise messages from one sender, whose receivers are given, in one statement however many they are. */
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
