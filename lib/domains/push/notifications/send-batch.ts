import { areGuestsRestricted } from '../../../access/users.ts';
import type { Services } from '../../../kernel/context.ts';
import { defineOutboxKind } from '../../../kernel/outbox.ts';
import { isGuest } from '../../../rules/roles.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import type { User } from '../../../storage/interface/users.ts';
import { type Notification, notifyDevices } from '../notify-devices.ts';
import { type MessageFacts, messagePayload, shortContent } from './message-payload.ts';

/** Somebody to be notified; the group is there where it was named and they were not. */
export interface Recipient {
  user_id: number;
  group_id?: number;
}

interface Batch {
  message_id: number;
  recipients: Recipient[];
}

/** What comes later than this says nothing that people do not know. */
export const RETRY_FOR_MS = 3_600_000;

/** Notifies some people of a message, as it is now; whoever has read it meanwhile or may not read it any more is not. */
export const sendBatch = defineOutboxKind<Batch>('push-batch', {
  concurrency: 4,
  retryForMs: RETRY_FOR_MS,
  async perform(services, batch) {
    const found = await services.storage.read((tx) => notifications(services, tx, batch));
    if (found) await notifyDevices(services, found.organization, found.notifications);
  },
});

async function notifications(services: Services, tx: Transaction, { message_id, recipients }: Batch) {
  const organization = await tx.organization.get();
  const message = await tx.messages.byId(message_id);
  const sender = message && (await tx.users.byId(message.sender_id));
  if (!organization || !message || !sender) return undefined;
  const standing = await tx.pushNotices.standing(
    message_id,
    recipients.map(({ user_id }) => user_id),
  );
  const devices = await tx.pushDevices.active(standing);
  if (devices.length === 0) return undefined;
  const groupIds = [...new Set(recipients.flatMap(({ group_id }) => group_id ?? []))];
  const groups = groupIds.length > 0 ? await tx.groups.heads(groupIds) : [];
  const [conversation] = await tx.conversations.byIds([message.conversation_id]);
  const channel = message.channel_id === null ? undefined : await tx.channels.byId(message.channel_id);
  const facts: MessageFacts = {
    ...{ organization, message, sender, channel },
    participants: conversation?.participants ?? [],
    content: shortContent(message),
  };
  const strangers = channel && areGuestsRestricted(organization) ? await strangersOf(tx, sender, standing) : new Set();
  const groupOf = new Map(
    recipients.map(({ user_id, group_id }) => [user_id, groups.find((group) => group.id === group_id)]),
  );
  const list: Notification[] = devices.map((device) => ({
    device,
    payload: messagePayload(services, facts, {
      user_id: device.user_id,
      group: groupOf.get(device.user_id),
      seesSender: !strangers.has(device.user_id),
    }),
  }));
  return { organization, notifications: list };
}

/** Guests who may not know who has written in a channel. */
async function strangersOf(tx: Transaction, sender: User, userIds: readonly number[]): Promise<Set<unknown>> {
  // Everybody sees bots.
  if (sender.bot_type !== null) return new Set();
  const guests = (await tx.users.byIds(userIds)).filter(isGuest).map(({ id }) => id);
  if (guests.length === 0) return new Set();
  const acquainted = new Set((await tx.acquaintances.between(guests, [sender.id])).map(({ guest_id }) => guest_id));
  return new Set(guests.filter((id) => !acquainted.has(id)));
}
