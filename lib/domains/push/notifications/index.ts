import { defineFeature } from '../../../operation/feature.ts';
import type { WriteContext } from '../../../viewer/context.ts';
import type { ChangedMessage, Mentions, SentMessage } from '../../../viewer/message-changes.ts';
import { type AnnouncedMessage, fanOut } from './fan-out.ts';
import { sendBatch } from './send-batch.ts';
import { dueNotices, removeFromPhones, withdrawDeleted, withdrawRead } from './withdrawal.ts';

/** Does not check for a relay: only the worker's process may have one configured. */
export async function announceSent(context: WriteContext, messages: readonly SentMessage[]): Promise<void> {
  if (context.pushVersion === 0) return;
  const [only] = messages;
  if (!only || messages.length > 1) return announceEach(context, messages);
  const { message, to, mentions } = only;
  const among = 'channel' in to ? { channel: to.channel.id } : { users: to.conversation.participants };
  if (await context.services.pushOwners.isAny(context, among, message.sender_id)) {
    context.enqueue(fanOut(announcing(message.id, mentions)));
  }
}

/** The same for users mentioned in an edited channel message. */
export async function announceEdited(context: WriteContext, { message, mentions }: ChangedMessage): Promise<void> {
  const { services, enqueue } = context;
  const { users, groups, wildcards } = mentions;
  const mentionsAny = users.length > 0 || groups.length > 0 || wildcards.channel || wildcards.topic;
  const { id, channel_id, sender_id } = message;
  if (channel_id === null || !mentionsAny) return;
  if (await services.pushOwners.isAny(context, { channel: channel_id }, sender_id)) {
    enqueue(fanOut({ ...announcing(id, mentions), only_mentions: true }));
  }
}

function announcing(message_id: number, { users, groups }: Mentions): AnnouncedMessage {
  if (groups.length === 0) return { message_id };
  return { message_id, named_users: [...users], named_groups: groups.map((group) => group.id) };
}

/** For messages to few recipients each, with one query. */
async function announceEach({ tx, enqueue }: WriteContext, messages: readonly SentMessage[]): Promise<void> {
  const senders = new Set(messages.map(({ sender }) => sender.id));
  const receivers = new Set(messages.flatMap(({ receivers = [] }) => receivers));
  const users = [...receivers].filter((id) => !senders.has(id));
  const owners = new Set(await tx.pushDevices.someOwners({ users }, users.length));
  for (const { message, receivers = [] } of messages) {
    if (receivers.some((user) => owners.has(user))) enqueue(fanOut({ message_id: message.id }));
  }
}

/**
 * Push notifications of messages. Sending a message adds an outbox row. The worker selects the
 * recipients (`fan-out.ts`, by the rule in `rules/push-notifications.ts`), sends notifications in batches
 * (`send-batch.ts`) and removes read messages from phones (`withdrawal.ts`).
 */
export const pushNotifications = defineFeature({
  operations: [],
  dueWork: [dueNotices],
  outbox: [fanOut, sendBatch, removeFromPhones],
  consequences: { sent: announceSent, edited: announceEdited, deleting: withdrawDeleted, read: withdrawRead },
});
