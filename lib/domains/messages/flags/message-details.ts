import type { TransactionContext } from '../../../kernel/context.ts';

import type { PlacedMessage, User } from '../../../storage/storage.ts';

/** What a client must know of messages that became unread without fetching them (clients.md 2.5). */
export async function messageDetails(
  { tx }: Pick<TransactionContext, 'tx'>,
  reader: User,
  messages: readonly PlacedMessage[],
): Promise<Record<string, unknown>> {
  const directIds = [...new Set(messages.filter((one) => one.channel_id === null).map((one) => one.conversation_id))];
  const conversations = directIds.length > 0 ? await tx.conversations.byIds(directIds) : [];
  const participants = new Map(conversations.map((conversation) => [conversation.id, conversation.participants]));
  const flags = await tx.readState.flagsOf(
    reader.id,
    messages.map((message) => message.id),
  );
  const details: Record<string, unknown> = {};
  for (const message of messages) {
    const own = flags.get(message.id) ?? [];
    const mentioned = own.includes('mentioned') || own.includes('wildcard_mentioned');
    details[message.id] =
      message.channel_id === null
        ? {
            type: 'private',
            user_ids: (participants.get(message.conversation_id) ?? []).filter((id) => id !== reader.id),
            ...(mentioned ? { mentioned } : {}),
          }
        : { type: 'stream', stream_id: message.channel_id, topic: message.topic, ...(mentioned ? { mentioned } : {}) };
  }
  return details;
}
