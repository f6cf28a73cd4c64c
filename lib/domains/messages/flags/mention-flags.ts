import { allInOrder } from '../../../kernel/all-in-order.ts';
import type { WriteContext } from '../../../kernel/context.ts';
import type { ChangedMessage, ReceivedFlag } from '../../../kernel/message-changes.ts';

/** Sets the mention flags for mentioned users who can see the messages. */
export async function mentionFlags(
  context: WriteContext,
  messages: readonly ChangedMessage[],
): Promise<readonly ReceivedFlag[]> {
  return (await allInOrder(messages.map((message) => flagMentions(context, message)))).flat();
}

async function flagMentions(
  { tx }: WriteContext,
  { message: { id: message_id, conversation_id, sender_id }, mentions: { wildcards }, named }: ChangedMessage,
): Promise<ReceivedFlag[]> {
  const flagTopic = async () => {
    const voices = await tx.conversations.voices(conversation_id);
    return tx.flags.setForReaders(message_id, [...voices, sender_id], 'wildcard_mentioned');
  };
  const [mentioned, some] = await Promise.all([
    tx.flags.setForReaders(message_id, named, 'mentioned'),
    wildcards.topic && !wildcards.channel ? flagTopic() : [],
    wildcards.channel && tx.flags.setForReaders(message_id, 'all', 'wildcard_mentioned'),
  ]);
  return [
    { message_id, flag: 'mentioned', users: mentioned },
    { message_id, flag: 'wildcard_mentioned', users: wildcards.channel ? 'all' : some },
  ];
}
