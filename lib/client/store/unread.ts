import type { ChatEvent, InitialState } from '../../chat/session.ts';
import { type Batch, DerivedCell } from './cell.ts';
import {
  directKey,
  directPlace,
  isDirectPlace,
  isMention,
  isTopicPlace,
  placeKey,
  placeOf,
  topicKey,
} from './places.ts';
import type { ChannelUnread, Narrow, Place, TopicUnread, UnreadCounts } from './types.ts';

interface UnreadPlace {
  /** As spelled in the newest of its messages. */
  place: Place;
  ids: Set<number>;
  /** The highest of `ids`. Undefined after it was removed: the next count looks for it. */
  newest: number | undefined;
}

/** What decides whether an unread message counts. */
interface Policies {
  isSubscribed(channelId: number): boolean;
  isMutedTopic(channelId: number, topic: string): boolean;
  isMutedUser(userId: number): boolean;
  /** The unread messages of a place changed. */
  onChange(place: Place): void;
}

/** The unread messages: one set of IDs for each place. Counts follow from them. */
export class Unread {
  readonly counts: DerivedCell<UnreadCounts>;
  #placeOf = new Map<number, UnreadPlace>();
  #byPlace = new Map<string, UnreadPlace>();
  #direct = new Map<string, UnreadPlace>();
  /** Places by channel: a change of one channel counts only its topics anew. */
  #byChannel = new Map<number, Map<string, UnreadPlace>>();
  #channelCounts = new Map<number, ChannelUnread | undefined>();
  #mentions = new Set<number>();
  #isPartial = false;

  constructor(
    batch: Batch,
    private readonly me: () => number,
    private readonly policies: Policies,
  ) {
    this.counts = new DerivedCell(batch, () => this.#count());
  }

  reset({ unread_msgs }: InitialState<'update_message_flags' | 'message'>): void {
    const { streams, pms, huddles, mentions, old_unreads_missing } = unread_msgs;
    this.#placeOf = new Map();
    this.#byPlace = new Map();
    this.#direct = new Map();
    this.#byChannel = new Map();
    this.#isPartial = old_unreads_missing;
    for (const { stream_id, topic, unread_message_ids } of streams) {
      for (const id of unread_message_ids) this.#add(id, { channelId: stream_id, topic });
    }
    for (const { other_user_id, unread_message_ids } of pms) {
      for (const id of unread_message_ids) this.#add(id, directPlace([other_user_id], this.me()));
    }
    for (const { user_ids_string, unread_message_ids } of huddles) {
      for (const id of unread_message_ids)
        this.#add(id, directPlace(user_ids_string.split(',').map(Number), this.me()));
    }
    this.#mentions = new Set(mentions);
    this.recount();
  }

  /** Counts anew. For one channel, after its settings or the policies of its topics changed. */
  recount(channelId?: number): void {
    if (channelId === undefined) this.#channelCounts.clear();
    else this.#channelCounts.delete(channelId);
    this.counts.invalidate();
  }

  has(id: number): boolean {
    return this.#placeOf.has(id);
  }

  countIn(place: Place): { count: number; hasMention: boolean } {
    const ids = this.#byPlace.get(placeKey(place))?.ids;
    return { count: ids?.size ?? 0, hasMention: this.#hasMention(ids) };
  }

  get ids(): readonly number[] {
    return [...this.#placeOf.keys()];
  }

  /** Unread messages of a list with a higher ID. 0 for searches and starred messages, which only the server can count. */
  countAfter(narrow: Narrow, after: number): number {
    let count = 0;
    for (const ids of this.#idsIn(narrow)) for (const id of ids) if (id > after) count++;
    return count;
  }

  #idsIn(narrow: Narrow): Iterable<Iterable<number>> {
    if (isTopicPlace(narrow) || isDirectPlace(narrow)) return [this.#byPlace.get(placeKey(narrow))?.ids ?? []];
    if ('channelId' in narrow)
      return [...(this.#byChannel.get(narrow.channelId)?.values() ?? [])].map(({ ids }) => ids);
    if (!('view' in narrow) || narrow.view === 'starred') return [];
    return [narrow.view === 'mentions' ? this.#mentions : this.#placeOf.keys()];
  }

  /** The user has read the messages. */
  remove(ids: Iterable<number>): void {
    for (const id of ids) this.#remove(id);
  }

  apply(event: ChatEvent): void {
    switch (event.type) {
      case 'message':
        if (event.flags.includes('read')) return;
        this.#add(event.message.id, placeOf(event.message, this.me()));
        return this.#setMention(event.message.id, event.flags);
      case 'update_message':
        this.#setMention(event.message_id, event.flags);
        return this.#move(event);
      case 'delete_message':
        return this.remove(event.message_ids ?? [event.message_id as number]);
      case 'update_message_flags':
        if (event.flag === 'read') this.#setRead(event);
    }
  }

  #setRead(event: Extract<ChatEvent, { type: 'update_message_flags' }>): void {
    if (event.op === 'add') return this.remove(event.all ? [...this.#placeOf.keys()] : event.messages);
    for (const id of event.messages) {
      const details = event.message_details?.[id];
      if (!details) continue;
      const { stream_id, topic, user_ids, mentioned } = details;
      this.#add(
        id,
        stream_id === undefined
          ? directPlace(user_ids ?? [], this.me())
          : { channelId: stream_id, topic: topic as string },
      );
      if (mentioned) this.#setMention(id, ['mentioned']);
    }
  }

  #move({
    message_ids,
    stream_id,
    new_stream_id,
    orig_subject,
    subject,
  }: Extract<ChatEvent, { type: 'update_message' }>) {
    if (orig_subject === undefined || stream_id === undefined) return;
    const place = { channelId: new_stream_id ?? stream_id, topic: subject ?? orig_subject };
    for (const id of message_ids) {
      if (!this.#placeOf.has(id)) continue;
      const isMentioned = this.#mentions.has(id);
      this.#remove(id);
      // The server marks messages as read that move to a channel without a subscription.
      if (!this.policies.isSubscribed(place.channelId)) continue;
      this.#add(id, place);
      if (isMentioned) this.#mentions.add(id);
    }
  }

  #add(id: number, place: Place): void {
    if (this.#placeOf.has(id)) return;
    const key = placeKey(place);
    let found = this.#byPlace.get(key);
    if (!found) {
      found = { place, ids: new Set(), newest: 0 };
      this.#byPlace.set(key, found);
      if (isTopicPlace(place)) {
        const topics = this.#byChannel.get(place.channelId) ?? new Map<string, UnreadPlace>();
        this.#byChannel.set(place.channelId, topics.set(topicKey(place.topic), found));
      } else this.#direct.set(key, found);
    }
    found.place = place;
    found.ids.add(id);
    if (found.newest !== undefined && id > found.newest) found.newest = id;
    this.#placeOf.set(id, found);
    this.#changed(place);
  }

  #remove(id: number): void {
    const found = this.#placeOf.get(id);
    if (!found) return;
    const { place, ids } = found;
    this.#placeOf.delete(id);
    this.#mentions.delete(id);
    ids.delete(id);
    if (found.newest === id) found.newest = undefined;
    this.#changed(place);
    if (ids.size > 0) return;
    this.#byPlace.delete(placeKey(place));
    if (!isTopicPlace(place)) return void this.#direct.delete(placeKey(place));
    const topics = this.#byChannel.get(place.channelId);
    topics?.delete(topicKey(place.topic));
    if (topics?.size === 0) this.#byChannel.delete(place.channelId);
  }

  /** Mentions are counted among unread messages. */
  #setMention(id: number, flags: readonly string[]): void {
    const found = this.#placeOf.get(id);
    if (!found) return;
    if (isMention(flags) && !flags.includes('read')) this.#mentions.add(id);
    else this.#mentions.delete(id);
    this.#changed(found.place);
  }

  #changed(place: Place): void {
    this.recount(isTopicPlace(place) ? place.channelId : -1);
    this.policies.onChange(place);
  }

  #hasMention(ids: ReadonlySet<number> | undefined): boolean {
    if (!ids || this.#mentions.size === 0) return false;
    const [few, many] = ids.size < this.#mentions.size ? [ids, this.#mentions] : [this.#mentions, ids];
    for (const id of few) if (many.has(id)) return true;
    return false;
  }

  #count(): UnreadCounts {
    const channels = new Map<number, ChannelUnread>();
    const conversations = new Map<string, number>();
    let total = 0;
    for (const channelId of this.#byChannel.keys()) {
      const counted = this.#countChannel(channelId);
      if (!counted) continue;
      channels.set(channelId, counted);
      total += counted.count;
    }
    let direct = 0;
    for (const { place, ids } of this.#direct.values()) {
      if (isTopicPlace(place)) continue;
      conversations.set(directKey(place.userIds), ids.size);
      const isMuted = place.userIds.length > 0 && place.userIds.every((id) => this.policies.isMutedUser(id));
      if (!isMuted) direct += ids.size;
    }
    let mentions = 0;
    for (const id of this.#mentions) {
      const place = this.#placeOf.get(id)?.place;
      if (place && (!isTopicPlace(place) || this.policies.isSubscribed(place.channelId))) mentions++;
    }
    return { total: total + direct, mentions, direct, isPartial: this.#isPartial, channels, conversations };
  }

  /** Undefined for a channel that the user has left. */
  #countChannel(channelId: number): ChannelUnread | undefined {
    if (this.#channelCounts.has(channelId)) return this.#channelCounts.get(channelId);
    const counted = this.policies.isSubscribed(channelId) ? this.#countTopics(channelId) : undefined;
    this.#channelCounts.set(channelId, counted);
    return counted;
  }

  #countTopics(channelId: number): ChannelUnread {
    const topics = new Map<string, TopicUnread>();
    let [count, muted, anyMention] = [0, 0, false];
    for (const [key, found] of this.#byChannel.get(channelId) ?? []) {
      const { place, ids } = found;
      const { topic } = place as { topic: string };
      // Not `Math.max(...ids)`: a topic can have more IDs than a call can have arguments.
      if (found.newest === undefined) {
        found.newest = 0;
        for (const id of ids) if (id > found.newest) found.newest = id;
      }
      const hasMention = this.#hasMention(ids);
      const isMuted = this.policies.isMutedTopic(channelId, topic);
      topics.set(key, { name: topic, count: ids.size, newest: found.newest, hasMention, isMuted });
      anyMention ||= hasMention;
      if (isMuted) muted += ids.size;
      else count += ids.size;
    }
    return { count, muted, hasMention: anyMention, topics };
  }
}
