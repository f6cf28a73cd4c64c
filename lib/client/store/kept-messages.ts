import type { ChatEvent } from '../../chat/session.ts';
import { type Batch, SourceCell } from './cell.ts';
import { isTopicPlace, placeOf, type WireMessage } from './places.ts';
import type { Message, Reaction, TopicPlace } from './types.ts';

type FetchedMessage = WireMessage & { flags?: string[] };

interface Dependencies {
  me(): number;
  isSubscribed(channelId: number): boolean;
}

/** An event, with what was true when it came. */
interface Recorded {
  event: ChatEvent;
  /** The newest message: a response may have newer ones. */
  newest: number;
  marksRead: boolean;
}

/** The messages that lists show. A message is dropped with the last list that has it. */
export class KeptMessages {
  readonly #byId = new Map<number, Message>();
  readonly #cells = new Map<number, SourceCell<Message | undefined>>();
  readonly #holders = new Map<number, number>();
  /** Events since the oldest fetch under way began: its response may be older than they are. */
  #recent: Recorded[] = [];
  /** The newest message that an event, or the registration, has said to exist. */
  #newest = 0;
  readonly #fetches = new Set<object>();
  #dropped = 0;

  constructor(
    private readonly batch: Batch,
    private readonly dependencies: Dependencies,
  ) {}

  get(id: number): Message | undefined {
    return this.#byId.get(id);
  }

  /** A new queue begins after this message. */
  reset({ max_message_id }: { max_message_id: number }): void {
    this.#newest = max_message_id;
    this.markStale();
  }

  cell(id: number): SourceCell<Message | undefined> {
    const found = this.#cells.get(id);
    if (found) return found;
    const cell: SourceCell<Message | undefined> = new SourceCell(this.batch, this.get(id), () => {
      this.#cells.set(id, cell);
      cell.set(this.get(id));
      this.hold([id]);
      return () => {
        this.#cells.delete(id);
        this.release([id]);
      };
    });
    return cell;
  }

  hold(ids: Iterable<number>): void {
    for (const id of ids) this.#holders.set(id, (this.#holders.get(id) ?? 0) + 1);
  }

  release(ids: Iterable<number>): void {
    for (const id of ids) {
      const holders = (this.#holders.get(id) ?? 1) - 1;
      if (holders > 0) this.#holders.set(id, holders);
      else {
        this.#holders.delete(id);
        this.#byId.delete(id);
      }
    }
  }

  /** The store may have missed changes: the queue expired, or the user left the channel. */
  markStale(channelId?: number): void {
    for (const message of this.#byId.values()) {
      const { place } = message;
      const isMeant = channelId === undefined || (isTopicPlace(place) && place.channelId === channelId);
      if (isMeant && !message.isStale) this.#set({ ...message, isStale: true });
    }
  }

  /**
   * Begins a fetch. `receive` stores the messages of its response, as they are after the events that came during the fetch,
   * and messages that arrived then. It returns their IDs without those deleted since. Call `end` when the lists
   * hold their messages, or if the fetch failed: it drops the others.
   */
  beginFetch() {
    const fetch = { from: this.#dropped + this.#recent.length };
    this.#fetches.add(fetch);
    const received: number[] = [];
    const receive = (fetched: readonly FetchedMessage[]) => {
      const events = this.#fetches.has(fetch) ? this.#recent.slice(Math.max(0, fetch.from - this.#dropped)) : [];
      const added = new Set<number>();
      const add = (id: number, message: Message) => {
        this.#set(message);
        added.add(id);
        received.push(id);
      };
      const isCurrent = (id: number) => this.#byId.get(id)?.isStale === false;
      for (const wire of fetched) {
        if (!isCurrent(wire.id)) add(wire.id, this.#message(wire, wire.flags ?? []));
      }
      const arrived: number[] = [];
      for (const recorded of events) {
        const { event } = recorded;
        if (event.type === 'message') {
          arrived.push(event.message.id);
          if (!this.#byId.has(event.message.id)) add(event.message.id, this.#message(event.message, event.flags));
        } else this.#change(recorded, added);
      }
      const kept = (ids: readonly number[]) => ids.filter((id) => this.#byId.has(id));
      return { ids: kept(fetched.map(({ id }) => id)), arrived: kept(arrived) };
    };
    const end = () => {
      this.#fetches.delete(fetch);
      for (const id of received) if (!this.#holders.has(id)) this.#byId.delete(id);
      if (this.#fetches.size > 0) return;
      this.#dropped += this.#recent.length;
      this.#recent = [];
    };
    return { receive, end };
  }

  /** Keeps a message that arrived by an event. */
  add(event: Extract<ChatEvent, { type: 'message' }>): void {
    if (!this.#byId.has(event.message.id)) this.#set(this.of(event));
  }

  of({ message, flags }: Extract<ChatEvent, { type: 'message' }>): Message {
    return this.#message(message, flags);
  }

  /** Changes the kept messages. Returns the IDs of those that changed. */
  apply(event: ChatEvent): number[] {
    if (event.type === 'message') this.#newest = Math.max(this.#newest, event.message.id);
    const recorded = { event, newest: this.#newest, marksRead: this.#movesOut(event) };
    if (this.#fetches.size > 0) this.#recent.push(recorded);
    return this.#change(recorded);
  }

  /** Sets flags before the server has confirmed them. */
  updateFlag(ids: Iterable<number>, flag: string, op: 'add' | 'remove'): number[] {
    const isSet = op === 'add';
    const changed: number[] = [];
    for (const id of ids) {
      const message = this.#byId.get(id);
      if (!message || message.flags.has(flag) === isSet) continue;
      const flags = new Set(message.flags);
      if (isSet) flags.add(flag);
      else flags.delete(flag);
      this.#set({ ...message, flags });
      changed.push(id);
    }
    return changed;
  }

  updateReaction(id: number, reaction: Reaction, op: 'add' | 'remove'): void {
    const message = this.#byId.get(id);
    if (!message) return;
    const others = message.reactions.filter(
      (other) =>
        other.user_id !== reaction.user_id ||
        other.emoji_code !== reaction.emoji_code ||
        other.reaction_type !== reaction.reaction_type,
    );
    const hasReaction = others.length < message.reactions.length;
    if (hasReaction === (op === 'add')) return;
    this.#set({ ...message, reactions: hasReaction ? others : [...others, reaction] });
  }

  /** The server marks messages as read that move to a channel without a subscription. */
  #movesOut(event: ChatEvent): boolean {
    if (event.type !== 'update_message' || event.orig_subject === undefined) return false;
    const target = event.new_stream_id ?? event.stream_id;
    return target !== undefined && !this.dependencies.isSubscribed(target);
  }

  /** @param among only these; all kept messages by default */
  #change({ event, newest, marksRead }: Recorded, among?: ReadonlySet<number>): number[] {
    const kept = (ids: readonly number[]) => ids.filter((id) => this.#byId.has(id) && (!among || among.has(id)));
    switch (event.type) {
      case 'reaction': {
        const ids = kept([event.message_id]);
        for (const id of ids) this.updateReaction(id, reactionOf(event), event.op);
        return ids;
      }
      case 'submessage': {
        const { submessage_id: id, message_id, sender_id, msg_type, content } = event;
        const ids = kept([message_id]);
        for (const messageId of ids) {
          const message = this.#byId.get(messageId) as Message;
          const others = message.submessages.filter((submessage) => (submessage as { id: number }).id !== id);
          this.#set({ ...message, submessages: [...others, { id, message_id, sender_id, msg_type, content }] });
        }
        return ids;
      }
      case 'update_message_flags': {
        const ids = event.all ? [...this.#byId.keys()].filter((id) => id <= newest) : event.messages;
        return this.updateFlag(kept(ids), event.flag, event.op);
      }
      case 'delete_message': {
        const ids = kept(event.message_ids ?? [event.message_id as number]);
        for (const id of ids) {
          this.#byId.delete(id);
          this.#cells.get(id)?.set(undefined);
        }
        return ids;
      }
      case 'update_message':
        return this.#update(event, marksRead, kept);
      case 'realm_user':
        return this.#updateSender(event, among);
      default:
        return [];
    }
  }

  #update(
    event: Extract<ChatEvent, { type: 'update_message' }>,
    marksRead: boolean,
    kept: (ids: readonly number[]) => number[],
  ): number[] {
    const { message_id, flags, rendered_content, edit_timestamp, rendering_only, is_me_message } = event;
    const edited = kept([message_id]);
    for (const id of edited) {
      const { match_content: _, ...message } = this.#byId.get(id) as Message;
      const content = rendered_content ?? message.content;
      const isEdit = rendered_content !== undefined && !rendering_only;
      this.#set({
        ...message,
        content,
        // Events do not say that a message is older than the subscription.
        flags: new Set(message.flags.has('historical') ? [...flags, 'historical'] : flags),
        is_me_message: is_me_message ?? message.is_me_message,
        ...(isEdit && { last_edit_timestamp: edit_timestamp }),
      });
    }
    const { message_ids, stream_id, new_stream_id, orig_subject, subject } = event;
    if (orig_subject === undefined || stream_id === undefined) return edited;
    const isResolved = new_stream_id === undefined && withoutMark(subject ?? '') === withoutMark(orig_subject);
    const moved = kept(message_ids);
    for (const id of moved) {
      const message = this.#byId.get(id) as Message;
      const old = message.place as TopicPlace;
      const place = { channelId: new_stream_id ?? old.channelId, topic: subject ?? old.topic };
      const flags = marksRead ? new Set([...message.flags, 'read']) : message.flags;
      // Whether it is older than the subscription to its new channel, only a fetch can tell.
      const isStale = message.isStale || new_stream_id !== undefined;
      this.#set({ ...message, place, flags, isStale, ...(!isResolved && { last_moved_timestamp: edit_timestamp }) });
    }
    return [...new Set([...edited, ...moved])];
  }

  #updateSender(event: Extract<ChatEvent, { type: 'realm_user' }>, among?: ReadonlySet<number>): number[] {
    const { user_id, full_name, avatar_url } = event.person as { user_id: number } & {
      full_name?: string;
      avatar_url?: string | null;
    };
    if (full_name === undefined && avatar_url === undefined) return [];
    const sent = [...this.#byId.values()].filter(
      ({ id, sender_id }) => sender_id === user_id && (!among || among.has(id)),
    );
    for (const message of sent) {
      this.#set({
        ...message,
        ...(full_name !== undefined && { sender_full_name: full_name }),
        ...(avatar_url !== undefined && { avatar_url }),
      });
    }
    return sent.map(({ id }) => id);
  }

  #set(message: Message): void {
    this.#byId.set(message.id, message);
    this.#cells.get(message.id)?.set(message);
  }

  #message(wire: WireMessage, flags: readonly string[]): Message {
    const { last_edit_timestamp, last_moved_timestamp, match_content } = wire;
    const place = placeOf(wire, this.dependencies.me());
    return {
      id: wire.id,
      place,
      sender_id: wire.sender_id,
      sender_full_name: wire.sender_full_name,
      avatar_url: wire.avatar_url ?? null,
      timestamp: wire.timestamp,
      content: wire.content,
      is_me_message: wire.is_me_message,
      reactions: wire.reactions.map(reactionOf),
      flags: new Set(flags),
      ...(last_edit_timestamp !== undefined && { last_edit_timestamp }),
      ...(last_moved_timestamp !== undefined && { last_moved_timestamp }),
      submessages: wire.submessages,
      ...(match_content !== undefined && { match_content }),
      isStale: isTopicPlace(place) && !this.dependencies.isSubscribed(place.channelId),
    };
  }
}

type WireReaction = Pick<WireMessage['reactions'][number], 'emoji_name' | 'emoji_code' | 'reaction_type' | 'user_id'>;

const reactionOf = ({ emoji_name, emoji_code, reaction_type, user_id }: WireReaction): Reaction => ({
  ...{ emoji_name, emoji_code, user_id },
  reaction_type: reaction_type as Reaction['reaction_type'],
});

/** A topic that is marked as resolved, or not any more, has not moved. */
const withoutMark = (topic: string) => topic.replace(/^✔ /, '');
