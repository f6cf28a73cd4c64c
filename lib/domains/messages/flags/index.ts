import { allInOrder, groupBy } from '../../../base/lists.ts';
import { defineFeature } from '../../../operation/feature.ts';
import { isInRooms, roomsOf } from '../../../rules/roles.ts';
import { shownTopic } from '../../../rules/topics.ts';
import type { AccountContext, Snapshot, WriteContext } from '../../../viewer/context.ts';
import type { ChangedMessage, ReceivedFlag } from '../../../viewer/message-changes.ts';
import { leftChannelsOutbox, mutedUserOutbox } from './deferred-read-events.ts';
import { markAllRead } from './mark-all-read.ts';
import { markChannelRead } from './mark-channel-read.ts';
import { markTopicRead } from './mark-topic-read.ts';
import { flagsAdded, flagsRemoved } from './message-flags.ts';
import { listReadReceipts } from './read-receipts.ts';
import { updateMessageFlags } from './update-flags.ts';
import { updateMessageFlagsNarrow } from './update-flags-narrow.ts';

async function flagMentions(
  { tx }: WriteContext,
  { message: { id: message_id, conversation_id, sender_id }, mentions: { wildcards }, named }: ChangedMessage,
): Promise<ReceivedFlag[]> {
  if (named.length === 0 && !wildcards.topic && !wildcards.channel) return [];
  const flagTopic = async () => {
    const voices = await tx.conversations.voices(conversation_id);
    return tx.flags.setForReaders(message_id, [...voices, sender_id], 'topic_wildcard_mentioned');
  };
  const [mentioned, topic] = await Promise.all([
    tx.flags.setForReaders(message_id, named, 'mentioned'),
    wildcards.topic ? flagTopic() : [],
    wildcards.channel && tx.flags.setForReaders(message_id, 'all', 'stream_wildcard_mentioned'),
  ]);
  return [
    { message_id, flag: 'mentioned', users: mentioned },
    { message_id, flag: 'wildcard_mentioned', users: wildcards.channel ? 'all' : topic },
    { message_id, flag: 'stream_wildcard_mentioned', users: wildcards.channel ? 'all' : [] },
    { message_id, flag: 'topic_wildcard_mentioned', users: topic },
  ];
}

/** If there are more unread messages, the oldest are left out. */
const MAX_UNREAD = 50_000;
const MAX_RECENT_CONVERSATIONS = 1_000;
const MAX_STARRED = 50_000;

async function unreadState({ context, options }: Snapshot) {
  const { tx, actor, organization } = context;
  const found = await tx.readState.unread(actor.id, MAX_UNREAD);
  const ids = [...new Set(found.map(({ conversation_id }) => conversation_id))];
  const conversations = ids.length > 0 ? await tx.conversations.byIds(ids) : [];
  const byId = new Map(conversations.map((conversation) => [conversation.id, conversation]));
  const unread = found.filter(({ conversation_id }) => isInRooms(actor, byId.get(conversation_id)?.channel_id ?? null));
  const byConversation = groupBy([...unread].reverse(), ({ conversation_id }) => conversation_id);
  const pms = [];
  const streams = [];
  const huddles = [];
  for (const [id, messages] of byConversation) {
    const unread_message_ids = messages.map((message) => message.id);
    const conversation = byId.get(id);
    if (!conversation) throw new Error(`Conversation ${id} has unread messages: it must exist.`);
    const { channel_id, topic, participants } = conversation;
    if (channel_id !== null) {
      streams.push({
        stream_id: channel_id,
        topic: options.client_capabilities.empty_topic_name ? topic : shownTopic(topic, organization),
        unread_message_ids,
      });
    } else if (participants.length <= 2) {
      const other_user_id = participants.find((user) => user !== actor.id) ?? actor.id;
      pms.push({ other_user_id, sender_id: other_user_id, unread_message_ids });
    } else huddles.push({ user_ids_string: participants.join(','), unread_message_ids });
  }
  return {
    unread_msgs: {
      count: unread.length,
      pms,
      streams,
      huddles,
      mentions: unread.flatMap(({ id, mentioned }) => (mentioned ? [id] : [])).sort((a, b) => a - b),
      old_unreads_missing: found.length === MAX_UNREAD,
    },
  };
}

async function recentDirectState({ context }: Snapshot) {
  const { tx, actor } = context;
  const recent = await tx.conversations.directsOf(actor.id, MAX_RECENT_CONVERSATIONS);
  return {
    recent_private_conversations: recent.map(({ conversation, max_message_id }) => ({
      max_message_id,
      user_ids: conversation.participants.filter((id) => id !== actor.id),
    })),
  };
}

async function starred(context: AccountContext): Promise<number[]> {
  const { tx, actor } = context;
  const ids = await tx.flags.messagesWith(actor.id, 'starred', MAX_STARRED);
  if (!roomsOf(actor)) return ids;
  return (await context.viewer.readableMessages(await tx.messages.byIds(ids))).map(({ id }) => id);
}

/** Flags of messages for each user. Sending a message stores no row per receiver. */
export const flags = defineFeature({
  operations: [
    updateMessageFlags,
    updateMessageFlagsNarrow,
    markAllRead,
    markChannelRead,
    markTopicRead,
    listReadReceipts,
  ],
  events: [flagsAdded, flagsRemoved],
  consequences: {
    flags: async (context, messages) =>
      (await allInOrder(messages.map((message) => flagMentions(context, message)))).flat(),
  },
  outbox: [leftChannelsOutbox, mutedUserOutbox],
  initialState: {
    message: async ({ context: { tx, actor } }) => ({
      max_message_id: (await tx.messages.maxReceivedId(actor.id)) || -1,
    }),
    update_message_flags: unreadState,
    recent_private_conversations: recentDirectState,
    starred_messages: async ({ context }) => ({ starred_messages: await starred(context) }),
  },
});
