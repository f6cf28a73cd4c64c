import type { ChatEvent, InitialState, Session } from '../../chat/session.ts';
import { type Batch, DerivedCell, SourceCell } from './cell.ts';
import { topicKey } from './places.ts';
import type { Channel, Channels as PublicChannels, Topic } from './types.ts';

type Initial = InitialState<'subscription' | 'user_topic'>;

/** The value of `visibility_policy` for a muted topic. */
const MUTED = 1;

/** Topics of a channel that has listeners. */
interface OpenTopics {
  /** By name in lower case. Undefined until fetched. */
  known: Map<string, { name: string; lastMessageId: number }> | undefined;
  cell: DerivedCell<readonly Topic[]>;
  isFetching: boolean;
  /** A change came during a fetch, or one that only a fetch can tell. */
  isOutdated: boolean;
  isMounted: boolean;
}

interface Dependencies {
  session: Session;
  countIn(place: { channelId: number; topic: string }): { count: number; hasMention: boolean };
  /** The settings of this channel or of its topics changed. */
  onPolicy(channelId: number): void;
}

/** Channels, the own subscriptions, and topics with their policies. */
export class Channels extends SourceCell<ReadonlyMap<number, Channel>> implements PublicChannels {
  /** Policies by channel, then topic in lower case. */
  #policies = new Map<number, Map<string, number>>();
  readonly #topics = new Map<number, OpenTopics>();

  constructor(
    batch: Batch,
    private readonly dependencies: Dependencies,
  ) {
    super(batch, new Map());
  }

  reset({ subscriptions, unsubscribed, user_topics }: Initial): void {
    const channels = new Map<number, Channel>();
    for (const channel of unsubscribed)
      channels.set(channel.stream_id, { ...(channel as Channel), is_subscribed: false });
    for (const channel of subscriptions) channels.set(channel.stream_id, { ...channel, is_subscribed: true });
    this.set(channels);
    this.#policies = new Map();
    for (const { stream_id, topic_name, visibility_policy } of user_topics) {
      this.#setPolicy(stream_id, topic_name, visibility_policy);
    }
    for (const channelId of this.#topics.keys()) this.refetchTopics(channelId);
  }

  isSubscribed(channelId: number): boolean {
    return this.get().get(channelId)?.is_subscribed === true;
  }

  policy(channelId: number, topic: string): number {
    return this.#policies.get(channelId)?.get(topicKey(topic)) ?? 0;
  }

  /** The policy of a topic comes before the setting of its channel. */
  isMutedTopic(channelId: number, topic: string): boolean {
    const policy = this.policy(channelId, topic);
    if (policy !== 0) return policy === MUTED;
    return this.get().get(channelId)?.is_muted === true;
  }

  async search(query: string, options?: { signal?: AbortSignal }): Promise<readonly Channel[]> {
    const { streams } = await this.dependencies.session.channels.search({ query }, options);
    return streams.map((channel) => this.#withSubscription(channel));
  }

  async lookUp(nameOrId: string | number): Promise<Channel> {
    const { session } = this.dependencies;
    const stream_id =
      typeof nameOrId === 'number' ? nameOrId : (await session.channels.getId({ stream: nameOrId })).stream_id;
    const known = this.get().get(stream_id);
    if (known) return known;
    const { stream } = await session.channels.get({ stream_id });
    const channel = this.#withSubscription(stream);
    this.#set([channel]);
    return channel;
  }

  topics(channelId: number): DerivedCell<readonly Topic[]> {
    const found = this.#topics.get(channelId);
    if (found) return found.cell;
    const cell = new DerivedCell<readonly Topic[]>(
      this.batch,
      () => this.#listTopics(channelId),
      () => {
        open.isMounted = true;
        this.refetchTopics(channelId);
        return () => {
          open.isMounted = false;
          open.known = undefined;
        };
      },
    );
    const open: OpenTopics = { known: undefined, cell, isFetching: false, isOutdated: false, isMounted: false };
    this.#topics.set(channelId, open);
    return cell;
  }

  /** Unread messages of the channel changed. */
  invalidateTopics(channelId: number): void {
    this.#topics.get(channelId)?.cell.invalidate();
  }

  apply(event: ChatEvent): void {
    switch (event.type) {
      case 'stream':
        return this.#applyStream(event);
      case 'subscription':
        return this.#applySubscription(event);
      case 'user_topic':
        this.#setPolicy(event.stream_id, event.topic_name, event.visibility_policy);
        this.dependencies.onPolicy(event.stream_id);
        return this.invalidateTopics(event.stream_id);
      case 'message': {
        const { stream_id, subject, id } = event.message;
        if (stream_id !== undefined) this.#addToTopic(stream_id, subject, id);
        return;
      }
      case 'update_message':
        return this.#moveBetweenTopics(event);
      case 'delete_message': {
        const { stream_id, topic, message_ids = [event.message_id as number] } = event;
        if (stream_id !== undefined) this.#removeFromTopic(stream_id, topic as string, message_ids);
      }
    }
  }

  #applyStream(event: Extract<ChatEvent, { type: 'stream' }>): void {
    if (event.op === 'update') {
      const channel = this.get().get(event.stream_id);
      if (!channel) return;
      const { property, value, rendered_description, history_public_to_subscribers, is_web_public } = event;
      const more = Object.entries({ rendered_description, history_public_to_subscribers, is_web_public });
      const given = Object.fromEntries(more.filter(([, value]) => value !== undefined));
      if (property === 'is_archived' && value === true) this.#policies.delete(event.stream_id);
      this.#set([{ ...channel, [property]: value, ...given }]);
      return this.dependencies.onPolicy(event.stream_id);
    }
    if (event.op === 'delete') {
      const channels = new Map(this.get());
      for (const id of event.stream_ids) {
        channels.delete(id);
        this.#policies.delete(id);
      }
      this.set(channels);
      for (const id of event.stream_ids) this.dependencies.onPolicy(id);
    }
  }

  #applySubscription(event: Extract<ChatEvent, { type: 'subscription' }>): void {
    const channels = this.get();
    switch (event.op) {
      case 'add':
        this.#set(event.subscriptions.map((channel) => ({ ...channel, is_subscribed: true })));
        return this.#policiesChanged(event.subscriptions);
      case 'remove': {
        const left = event.subscriptions.flatMap(({ stream_id }) => channels.get(stream_id) ?? []);
        this.#set(left.map((channel) => ({ ...withSubscribers(channel, -1), is_subscribed: false })));
        return this.#policiesChanged(left);
      }
      case 'peer_add':
      case 'peer_remove': {
        const change = event.op === 'peer_add' ? event.user_ids.length : -event.user_ids.length;
        const known = event.stream_ids.flatMap((id) => channels.get(id) ?? []);
        return this.#set(known.map((channel) => withSubscribers(channel, change)));
      }
      case 'update': {
        const channel = channels.get(event.stream_id);
        if (!channel) return;
        this.#set([{ ...channel, [event.property]: event.value }]);
        this.dependencies.onPolicy(event.stream_id);
      }
    }
  }

  #policiesChanged(channels: readonly { stream_id: number }[]): void {
    for (const { stream_id } of channels) this.dependencies.onPolicy(stream_id);
  }

  #set(changed: readonly Channel[]): void {
    if (changed.length === 0) return;
    const channels = new Map(this.get());
    for (const channel of changed) channels.set(channel.stream_id, channel);
    this.set(channels);
  }

  #withSubscription(channel: Omit<Channel, 'is_subscribed'>): Channel {
    return this.get().get(channel.stream_id) ?? { ...channel, is_subscribed: false };
  }

  #setPolicy(channelId: number, topic: string, policy: number): void {
    const topics = this.#policies.get(channelId) ?? new Map<string, number>();
    if (policy === 0) topics.delete(topicKey(topic));
    else topics.set(topicKey(topic), policy);
    this.#policies.set(channelId, topics);
  }

  #addToTopic(channelId: number, name: string, id: number): void {
    const open = this.#topics.get(channelId);
    if (!open) return;
    const last = open.known?.get(topicKey(name))?.lastMessageId ?? 0;
    if (id > last) open.known?.set(topicKey(name), { name, lastMessageId: id });
    if (open.isFetching) open.isOutdated = true;
    open.cell.invalidate();
  }

  #moveBetweenTopics(event: Extract<ChatEvent, { type: 'update_message' }>): void {
    const { stream_id, new_stream_id, orig_subject, subject, message_ids } = event;
    if (orig_subject === undefined || stream_id === undefined) return;
    this.#addToTopic(new_stream_id ?? stream_id, subject ?? orig_subject, Math.max(...message_ids));
    this.#removeFromTopic(stream_id, orig_subject, message_ids);
  }

  /** Which message is the last one now, or whether the topic is empty, only the server knows. */
  #removeFromTopic(channelId: number, topic: string, ids: readonly number[]): void {
    const open = this.#topics.get(channelId);
    const last = open?.known?.get(topicKey(topic))?.lastMessageId;
    if (open?.isFetching || (last !== undefined && ids.includes(last))) this.refetchTopics(channelId);
  }

  /** Fetches the topics whose fetch failed. */
  retry(): void {
    for (const [channelId, open] of this.#topics) void this.#fetchTopics(channelId, open);
  }

  /** Fetches the topics of a channel anew, if it has listeners. */
  refetchTopics(channelId: number): void {
    const open = this.#topics.get(channelId);
    if (!open) return;
    open.isOutdated = true;
    void this.#fetchTopics(channelId, open);
  }

  async #fetchTopics(channelId: number, open: OpenTopics): Promise<void> {
    if (open.isFetching) return;
    open.isFetching = true;
    try {
      while (open.isOutdated && open.isMounted) {
        open.isOutdated = false;
        const { topics } = await this.dependencies.session.topics.list({
          stream_id: channelId,
          allow_empty_topic_name: true,
        });
        open.known = new Map(topics.map(({ name, max_id }) => [topicKey(name), { name, lastMessageId: max_id }]));
        open.cell.invalidate();
      }
    } catch {
      // No connection: `retry` fetches again.
      open.isOutdated = true;
    } finally {
      open.isFetching = false;
    }
  }

  #listTopics(channelId: number): readonly Topic[] {
    const known = [...(this.#topics.get(channelId)?.known?.values() ?? [])];
    return known
      .sort((a, b) => b.lastMessageId - a.lastMessageId)
      .map(({ name, lastMessageId }) => {
        const { count, hasMention } = this.dependencies.countIn({ channelId, topic: name });
        const visibilityPolicy = this.policy(channelId, name);
        return { name, lastMessageId, unread: count, hasMention, visibilityPolicy };
      });
  }
}

function withSubscribers(channel: Channel, change: number): Channel {
  const { subscriber_count } = channel;
  return subscriber_count === undefined ? channel : { ...channel, subscriber_count: subscriber_count + change };
}
