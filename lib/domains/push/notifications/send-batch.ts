import type { Services } from '../../../access/context.ts';
import { areGuestsRestricted } from '../../../access/users.ts';
import type { User } from '../../../model/users.ts';
import { defineOutboxKind, PermanentFailure } from '../../../operation/feature.ts';
import { isGuest } from '../../../rules/roles.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import { type Notification, notifyDevices } from '../notify-devices.ts';
import { notifyTokens, type PlainNotice, tokensByUser, type Unsent } from '../notify-tokens.ts';
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
  /** Set for the rest of a batch created at this time, in ms: only tokens are left; encrypted devices are done. */
  tokens_since_ms?: number;
}

/** Later notifications are useless. */
export const RETRY_FOR_MS = 3_600_000;
/** Delay before the rest of a batch, if the relay has accepted a part. */
const REST_AFTER_MS = 5_000;

/** Sends the current message to some users. Skips users who have read it since or may no longer read it. */
export const sendBatch = defineOutboxKind<Batch>('push-batch', {
  concurrency: 4,
  retryForMs: RETRY_FOR_MS,
  async perform(services, batch, { created_ms }) {
    const found = await services.storage.read((tx) => noticesOf(services, tx, batch));
    if (!found) return;
    const { organization, notifications, plain } = found;
    await notifyDevices(services, organization, notifications);
    const unsent = await notifyTokens(services, organization, plain);
    if (!unsent) return;
    if (notifications.length === 0 && unsent.notices.length === plain.length) throw unsent.error;
    await leaveRest(services, batch, batch.tokens_since_ms ?? created_ms, unsent);
  },
});

/** Enqueues a new item for the remaining users, so that the others are not notified twice. */
async function leaveRest(services: Services, batch: Batch, since: number, { notices, error }: Unsent): Promise<void> {
  if (services.clock.now() - since >= RETRY_FOR_MS) throw new PermanentFailure(error.message);
  const left = new Set(notices.map(({ user_id }) => user_id));
  const recipients = batch.recipients.filter(({ user_id }) => left.has(user_id));
  await services.append(async ({ enqueue, now }) =>
    enqueue(sendBatch({ ...batch, recipients, tokens_since_ms: since }, { due_ms: now + REST_AFTER_MS })),
  );
}

/** Notifications for all devices of the recipients who still need them. */
async function noticesOf(services: Services, tx: Transaction, { message_id, recipients, tokens_since_ms }: Batch) {
  const standing = await tx.pushNotices.standing(
    message_id,
    recipients.map(({ user_id }) => user_id),
  );
  const devices = tokens_since_ms === undefined ? await tx.pushDevices.active(standing) : [];
  const tokens = await tokensByUser(tx, standing);
  if (devices.length + tokens.size === 0) return undefined;
  const facts = await factsOf(tx, message_id, tokens.size > 0);
  if (!facts) return undefined;
  const { organization, channel, sender } = facts;
  const groupIds = [...new Set(recipients.flatMap(({ group_id }) => group_id ?? []))];
  const groups = groupIds.length > 0 ? await tx.groups.heads(groupIds) : [];
  const strangers = channel && areGuestsRestricted(organization) ? await strangersOf(tx, sender, standing) : new Set();
  const readers = new Map(
    recipients.map(({ user_id, group_id, mention }): [number, Reader] => {
      const group = groups.find(({ id }) => id === group_id);
      return [user_id, { user_id, mention, group, seesSender: !strangers.has(user_id) }];
    }),
  );
  const readerOf = (userId: number) => readers.get(userId) as Reader;
  return {
    organization,
    notifications: devices.map(
      (device): Notification => ({ device, payload: messagePayload(services, facts, readerOf(device.user_id)) }),
    ),
    plain: [...tokens].map(
      ([user_id, own]): PlainNotice => ({
        user_id,
        tokens: own,
        ...plainMessage(services, facts, readerOf(user_id)),
      }),
    ),
  };
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
async function strangersOf(tx: Transaction, sender: User, userIds: readonly number[]): Promise<Set<unknown>> {
  // All users see bots.
  if (sender.bot_type !== null) return new Set();
  const guests = (await tx.users.byIds(userIds)).filter(isGuest).map(({ id }) => id);
  if (guests.length === 0) return new Set();
  const acquainted = new Set((await tx.guestVisibility.between(guests, [sender.id])).map(({ guest_id }) => guest_id));
  return new Set(guests.filter((id) => !acquainted.has(id)));
}
