import { foldTopic } from '../rules/fold.ts';
import type { ChannelHead } from '../storage/interface/channels.ts';
import type { Conversation } from '../storage/interface/conversations.ts';
import { VersionedCache } from './versioned-cache.ts';

/** A channel, with the subscription of the sender and whether it is muted. */
export interface PostingPlace {
  channel: ChannelHead;
  isSubscribed: boolean;
  isMuted: boolean;
}

/** Cached data of a channel, filled when users post there. */
interface CachedChannel {
  head?: ChannelHead;
  /** By user ID. */
  subscriptions: Map<number, Omit<PostingPlace, 'channel'>>;
  /** By folded name. Each has messages: losing them raises the version. */
  topics: Map<string, Conversation>;
}

/** Recently used channels, all of one `channels_version`. Contains only committed data. */
export class ChannelCache {
  readonly #channels = new VersionedCache<number, CachedChannel>(20_000);

  place(version: number, channelId: number, userId: number): PostingPlace | undefined {
    const cached = this.#channels.get(version, channelId);
    const subscription = cached?.subscriptions.get(userId);
    return cached?.head && subscription ? { channel: cached.head, ...subscription } : undefined;
  }

  keepPlace(version: number, { channel, ...subscription }: PostingPlace, userId: number): void {
    const cached = this.#channels.entry(version, channel.id, nothing);
    if (!cached) return;
    cached.head = channel;
    cached.subscriptions.set(userId, subscription);
  }

  topic(version: number, channelId: number, topic: string): Conversation | undefined {
    return this.#channels.get(version, channelId)?.topics.get(foldTopic(topic));
  }

  keepTopic(version: number, channelId: number, conversation: Conversation): void {
    this.#channels.entry(version, channelId, nothing)?.topics.set(foldTopic(conversation.topic), conversation);
  }

  /** Not versioned: a process with an older day only writes the new one again. */
  keepDay(channelId: number, day: number, messageId: number): void {
    const cached = this.#channels.latest(channelId);
    if (!cached?.head) return;
    const first_message_id = cached.head.first_message_id ?? messageId;
    cached.head = { ...cached.head, last_active_day: day, first_message_id };
  }
}

const nothing = (): CachedChannel => ({ subscriptions: new Map(), topics: new Map() });
