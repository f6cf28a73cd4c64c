/** What the inbox and the sidebar list, computed from the state of the store. */
import type { Channel, ChannelUnread, Conversation, UnreadCounts } from '../../client/store/types.ts';

export type InboxTopic = ChannelUnread['topics'] extends ReadonlyMap<string, infer T> ? T : never;

export interface InboxChannel {
  readonly channel: Channel;
  /** Unread messages of its topics here. */
  readonly count: number;
  readonly topics: readonly InboxTopic[];
}

export interface Inbox {
  readonly direct: readonly Conversation[];
  readonly channels: readonly InboxChannel[];
}

/** Subscribed channels: pinned ones first, muted ones last, otherwise by name. */
export function sortedChannels(channels: Iterable<Channel>, lang: string): readonly Channel[] {
  const collator = new Intl.Collator(lang, { numeric: true });
  const rank = ({ pin_to_top, is_muted }: Channel) => (is_muted ? 2 : 0) + (pin_to_top ? 0 : 1);
  return [...channels]
    .filter(({ is_subscribed, is_archived }) => is_subscribed && !is_archived)
    .sort((a, b) => rank(a) - rank(b) || collator.compare(a.name, b.name));
}

/** Unread messages that are not muted: direct conversations, and topics by channel. */
export function inboxOf(
  unread: UnreadCounts,
  channels: readonly Channel[],
  conversations: readonly Conversation[],
): Inbox {
  const groups = channels.map((channel) => groupOf(channel, unread.channels.get(channel.stream_id)));
  return {
    direct: conversations.filter((conversation) => conversation.unread > 0),
    channels: groups.filter(({ topics }) => topics.length > 0),
  };
}

function groupOf(channel: Channel, unread: ChannelUnread | undefined): InboxChannel {
  const topics = [...(unread?.topics.values() ?? [])].filter(({ count, isMuted }) => count > 0 && !isMuted);
  return { channel, topics, count: topics.reduce((sum, { count }) => sum + count, 0) };
}
