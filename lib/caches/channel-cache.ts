import { foldTopic } from '../rules/fold.ts';
import type { ChannelHead, Conversation } from '../storage/storage.ts';

/** A channel, and whether the one who posts is subscribed. */
export interface PostingPlace {
  channel: ChannelHead;
  isSubscribed: boolean;
}

interface KnownChannel {
  head: ChannelHead | undefined;
  subscriptions: Map<number, boolean>;
  topics: Map<string, Conversation>;
}

/** More subscriptions and topics than this are not kept. */
const MOST = 20_000;

/**
 * Where people posted lately, all as of one `places_version`. Whoever asks has read that version in their
 * own transaction, so what they get is what the transaction would have read.
 */
export class ChannelCache {
  #version = -1;
  #size = 0;
  readonly #channels = new Map<number, KnownChannel>();

  place(version: number, channelId: number, userId: number): PostingPlace | undefined {
    if (version !== this.#version) return undefined;
    const known = this.#channels.get(channelId);
    const isSubscribed = known?.subscriptions.get(userId);
    return known?.head && isSubscribed !== undefined ? { channel: known.head, isSubscribed } : undefined;
  }

  topic(version: number, channelId: number, topic: string): Conversation | undefined {
    if (version !== this.#version) return undefined;
    return this.#channels.get(channelId)?.topics.get(foldTopic(topic));
  }

  /** Takes only what has been committed: the version of a change that was rolled back is used again. */
  keepPlace(version: number, { channel, isSubscribed }: PostingPlace, userId: number): void {
    const known = this.#roomFor(version, channel.id);
    if (!known) return;
    known.head = channel;
    known.subscriptions.set(userId, isSubscribed);
  }

  /** As `keepPlace`. */
  keepTopic(version: number, channelId: number, conversation: Conversation): void {
    this.#roomFor(version, channelId)?.topics.set(foldTopic(conversation.topic), conversation);
  }

  /** No version counts this: whoever knows an older day only writes the new one once more. */
  keepDay(channelId: number, day: number): void {
    const known = this.#channels.get(channelId);
    if (known?.head) known.head = { ...known.head, last_active_day: day };
  }

  #roomFor(version: number, channelId: number): KnownChannel | undefined {
    if (version < this.#version) return undefined;
    if (version > this.#version || ++this.#size > MOST) {
      this.#channels.clear();
      this.#version = version;
      this.#size = 1;
    }
    let known = this.#channels.get(channelId);
    if (!known) {
      known = { head: undefined, subscriptions: new Map(), topics: new Map() };
      this.#channels.set(channelId, known);
    }
    return known;
  }
}
