import type { WriteContext } from '../../../kernel/context.ts';

import type { ChannelHead, Conversation, PlacedMessage, User } from '../../../storage/storage.ts';
import { flagMentions, NOBODY_MENTIONED } from '../mention-flags.ts';
import { checkMentions } from '../mentions.ts';
import { renderContent } from '../message-content.ts';
import { type Place, sharedMessage } from '../message-view.ts';

export interface Post {
  sender: User;
  /** Checked and trimmed Markdown. */
  content: string;
  client: string;
  readBySender: boolean;
  /** Somebody else who need not read it: they caused it. */
  alsoReadBy?: number;
  /**
   * Of a message the software writes: whose knowledge decides which names in it lead somewhere. It mentions
   * nobody, since names of topics and descriptions in it are somebody else's words.
   */
  knownTo?: User;
  /** The queue that sent it, and the name it gave the message, to be echoed there alone. */
  echo?: { queue_id: string; local_id: string };
}

const DAY_MS = 86_400_000;

/**
 * Stores a message in a channel and tells its subscribers: permission has been checked. The cost does
 * not depend on how many they are.
 */
export async function postToChannel(
  scope: WriteContext,
  channel: ChannelHead,
  conversation: Conversation,
  post: Post,
): Promise<number> {
  const id = await store(scope, conversation, post, { stream_id: channel.id, channel_name: channel.name }, channel);
  const today = Math.floor(scope.now / DAY_MS);
  if (channel.last_active_day !== today) {
    await scope.tx.channels.noteMessage(channel.id, id, today);
    scope.afterCommit(() => scope.services.channelCache.keepDay(channel.id, today));
  }
  return id;
}

/** Stores a direct message and tells everybody taking part, the sender included. */
export async function postDirect(scope: WriteContext, participants: readonly User[], post: Post): Promise<number> {
  const ids = participants.map((user) => user.id);
  const conversation = await scope.tx.conversations.ensureDirect(ids);
  return store(scope, conversation, post, { participants }, undefined);
}

async function store(
  scope: WriteContext,
  conversation: Conversation,
  post: Post,
  place: Place,
  channel: ChannelHead | undefined,
): Promise<number> {
  const rendered = await renderContent(scope, post.knownTo ?? post.sender, post.content, post.sender);
  if (!post.knownTo) await checkMentions(scope, post.sender, rendered.mentions, conversation);
  const message: PlacedMessage = {
    id: 0,
    conversation_id: conversation.id,
    sender_id: post.sender.id,
    content: post.content,
    rendered_content: rendered.html,
    timestamp: Math.floor(scope.now / 1000),
    client: post.client,
    is_me_message: rendered.isMe,
    read_by_sender: post.readBySender,
    last_edit_timestamp: null,
    last_moved_timestamp: null,
    channel_id: conversation.channel_id,
    topic: conversation.topic,
  };
  const id = await scope.tx.messages.create(message);
  message.id = id;
  const mentioned = post.knownTo ? NOBODY_MENTIONED : await flagMentions(scope, message, rendered.mentions);
  const flagsByUser = new Map(mentioned.flagsByUser);
  for (const reader of [post.readBySender ? post.sender.id : undefined, post.alsoReadBy]) {
    if (reader !== undefined) flagsByUser.set(reader, ['read', ...(flagsByUser.get(reader) ?? mentioned.flagsOfAll)]);
  }
  if (post.alsoReadBy !== undefined) await scope.tx.readState.markRead(post.alsoReadBy, [id]);
  const isPublic = channel !== undefined && !channel.invite_only;
  scope.emit({
    audience: channel
      ? { channel: channel.id, ...(isPublic ? { scope: 'public' as const } : {}) }
      : { users: conversation.participants },
    event: {
      type: 'message',
      message: sharedMessage(message, post.sender, place, scope.organization),
      flags: [...mentioned.flagsOfAll],
    },
    ...(flagsByUser.size > 0
      ? { forUsers: Object.fromEntries([...flagsByUser].map(([user, flags]) => [user, { flags }])) }
      : {}),
    ...(post.echo
      ? { forQueue: { queue_id: post.echo.queue_id, fields: { local_message_id: post.echo.local_id } } }
      : {}),
  });
  return id;
}
