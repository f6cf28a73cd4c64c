import { areGuestsRestricted } from '../../../access/users.ts';
import type { User } from '../../../model/users.ts';
import { defineOutboxKind } from '../../../operation/feature.ts';
import { isGuest } from '../../../rules/roles.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import { notifyDevices } from '../notify-devices.ts';
import { notifyTokens } from '../notify-tokens.ts';
import { type MessageFacts, messagePayload, plainMessage, type Reader, shortContent } from './message-payloads.ts';

/** A user to notify. `group_id` is set if the user was mentioned only through this group. */
export interface Recipient {
  user_id: number;
  /** Absent if the reason is not a mention. */
  mention?: 'own' | 'all';
  group_id?: number;
}

export interface Batch {
  message_id: number;
  recipients: Recipient[];
  /** For the devices without encryption of one recipient: the relay accepts one account per request. */
  isPlain?: boolean;
}

/** Later notifications are useless. */
export const RETRY_FOR_MS = 3_600_000;

/** Sends the current message to some users. Skips users who have read it since or may no longer read it. */
export const sendBatch = defineOutboxKind<Batch>('push-batch', {
  retryForMs: RETRY_FOR_MS,
  async perform(services, { message_id, recipients, isPlain = false }) {
    const found = await services.storage.read(async (tx) => {
      const ids = recipients.map(({ user_id }) => user_id);
      const standing = await tx.pushNotices.standing(message_id, ids);
      const devices = isPlain ? [] : await tx.pushDevices.active(standing);
      const tokens = isPlain ? await tx.pushTokens.ofAll(standing) : [];
      if (devices.length + tokens.length === 0) return undefined;
      const facts = await factsOf(tx, message_id, isPlain);
      return facts && { devices, tokens, facts, readers: await readersOf(tx, facts, recipients, standing) };
    });
    if (!found) return;
    const { devices, tokens, facts, readers } = found;
    const { organization } = facts;
    const notifications = devices.flatMap((device) => {
      const reader = readers.get(device.user_id);
      return reader ? [{ device, payload: messagePayload(services, facts, reader) }] : [];
    });
    await notifyDevices(services, organization, notifications);
    const [reader] = readers.values();
    if (!isPlain || !reader) return;
    const { user_id } = reader;
    await notifyTokens(services, organization, { user_id, tokens, ...plainMessage(services, facts, reader) });
  },
});

async function readersOf(
  tx: Transaction,
  { organization, channel, sender }: MessageFacts,
  recipients: readonly Recipient[],
  standing: readonly number[],
): Promise<Map<number, Reader>> {
  const groupIds = [...new Set(recipients.flatMap(({ group_id }) => group_id ?? []))];
  const groups = groupIds.length > 0 ? await tx.groups.heads(groupIds) : [];
  const notSeeing =
    channel && areGuestsRestricted(organization) ? await guestsNotSeeing(tx, sender, standing) : new Set();
  return new Map(
    recipients.map(({ user_id, group_id, mention }) => {
      const group = groups.find(({ id }) => id === group_id);
      return [user_id, { user_id, mention, group, seesSender: !notSeeing.has(user_id) }];
    }),
  );
}

/** The current message; undefined if it was deleted. */
async function factsOf(tx: Transaction, message_id: number, isNamed: boolean): Promise<MessageFacts | undefined> {
  const organization = await tx.organization.get();
  const message = await tx.messages.byId(message_id);
  const sender = message && (await tx.users.byId(message.sender_id));
  if (!organization || !message || !sender) return undefined;
  const [conversation] = await tx.conversations.byIds([message.conversation_id]);
  const channel = message.channel_id === null ? undefined : await tx.channels.byId(message.channel_id);
  const participants = conversation?.participants ?? [];
  const named = isNamed && !channel && participants.length > 2 ? await tx.users.byIds(participants) : [];
  return {
    organization,
    message,
    sender,
    channel,
    participants,
    names: named.map(({ full_name }) => full_name),
    ...shortContent(message),
  };
}

/** Guests who may not see the sender of a channel message. */
async function guestsNotSeeing(tx: Transaction, sender: User, userIds: readonly number[]): Promise<Set<unknown>> {
  // All users see bots.
  if (sender.bot_type !== null) return new Set();
  const guests = (await tx.users.byIds(userIds)).filter(isGuest).map(({ id }) => id);
  if (guests.length === 0) return new Set();
  const seeing = new Set((await tx.guestVisibility.between(guests, [sender.id])).map(({ guest_id }) => guest_id));
  return new Set(guests.filter((id) => !seeing.has(id)));
}
