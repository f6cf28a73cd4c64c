import { isChatError } from '../../base/errors.ts';
import type { ChatEvent, Session } from '../../chat/session.ts';
import { type Batch, DerivedCell } from './cell.ts';
import type { KeptMessages } from './kept-messages.ts';
import {
  isDirectPlace,
  isMove,
  isTopicPlace,
  type MoveEvent,
  matches,
  moveOf,
  placeKey,
  placeOf,
  termsOf,
} from './places.ts';
import type { Message, MessageList, MessageListState, Narrow, Outgoing, TopicPlace } from './types.ts';

/** Messages of one fetch, on each side. */
const MESSAGES_PER_FETCH = 50;
/** Messages that one list keeps, unless it was opened with another limit. */
const MAX_LISTED_MESSAGES = 400;

export interface ListDependencies {
  session: Session;
  batch: Batch;
  messages: KeptMessages;
  /** Whether the store has its first data. */
  isReady(): boolean;
  me(): number;
  isSubscribed(channelId: number): boolean;
  outgoing(): Iterable<Outgoing>;
  onFetched(ids: readonly number[]): void;
  /** A fetch failed, and another one may work. */
  onUnreachable(): void;
  onClose(list: OpenList): void;
}

type At = number | 'newest' | 'first_unread';

/**
 * A window of at most `limit` messages. States: loading `first` -> `none` <-> `older` or `newer`; `around` goes back to
 * `first`. A response counts only if the window was not replaced since its request.
 */
export class OpenList implements MessageList {
  readonly state: DerivedCell<MessageListState>;
  #ids: number[] = [];
  #members = new Set<number>();
  #hasOldest = false;
  #hasNewest = false;
  #isHistoryLimited = false;
  #loading: MessageListState['loading'] = 'none';
  #anchor: number | undefined;
  #generation = 0;
  #error: Error | undefined;
  #movedTo: TopicPlace | undefined;
  #reader: number | 'newest' | undefined;
  /** Grows with each replacement of the window. */
  #epoch = 0;
  /** A change came that only a fetch can show. */
  #isOutdated = false;
  #isClosed = false;

  constructor(
    readonly narrow: Narrow,
    private readonly at: At,
    private readonly dependencies: ListDependencies,
    private readonly limit = MAX_LISTED_MESSAGES,
  ) {
    this.state = new DerivedCell(dependencies.batch, () => this.#compute());
  }

  async around(at: At): Promise<void> {
    this.#reader = typeof at === 'number' ? at : undefined;
    await this.#fetchWindow(at, 'place');
  }

  /** The first fetch, or the same again after it failed. */
  async load(): Promise<void> {
    if (this.#generation > 0) await this.reload();
    else await this.around(this.at);
  }

  /** Fetches the window anew, where the reader is. */
  async reload(): Promise<void> {
    if (this.#isClosed) return;
    if (this.#generation === 0) return this.around(this.#reader ?? this.at);
    const reader = this.#reader;
    const isLast = typeof reader !== 'number' || this.#ids.indexOf(reader) >= this.#ids.length - 20;
    const isAtEnd = this.#hasNewest && isLast;
    const middle = this.#ids[Math.floor(this.#ids.length / 2)];
    await this.#fetchWindow(isAtEnd ? 'newest' : (reader ?? middle ?? 'newest'), 'keep');
  }

  older(count?: number): Promise<void> {
    return this.#extend('older', count);
  }

  newer(count?: number): Promise<void> {
    return this.#extend('newer', count);
  }

  holdAt(at: number | 'newest'): void {
    this.#reader = at;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#epoch++;
    this.dependencies.messages.release(this.#ids);
    this.dependencies.onClose(this);
  }

  has(id: number): boolean {
    return this.#members.has(id);
  }

  invalidate(): void {
    this.state.invalidate();
  }

  /** Whether the own message `outgoing` belongs at the end of this list. */
  shows(outgoing: Outgoing): boolean {
    const { narrow } = this;
    if ('search' in narrow) return false;
    if ('view' in narrow) return narrow.view === 'all';
    const { place } = outgoing;
    if (isTopicPlace(narrow) || isDirectPlace(narrow)) return placeKey(narrow) === placeKey(place);
    return isTopicPlace(place) && place.channelId === narrow.channelId;
  }

  /** Whether a new message goes into the window now. */
  takes(event: Extract<ChatEvent, { type: 'message' }>): boolean {
    const place = placeOf(event.message, this.dependencies.me());
    return this.takesKept({ place, flags: new Set(event.flags) });
  }

  takesKept(message: Pick<Message, 'place' | 'flags'>): boolean {
    return this.#hasNewest && this.#loading !== 'first' && this.#matches(message) === true;
  }

  /** Puts a kept message into the window. */
  insert(id: number): void {
    this.#add([id]);
  }

  /** After an event has changed the kept messages `ids`. */
  reconsider(event: ChatEvent, ids: readonly number[]): void {
    if (event.type === 'delete_message') return this.#remove(event.message_ids ?? [event.message_id as number]);
    const { messages } = this.dependencies;
    const leaving: number[] = [];
    const coming: number[] = [];
    for (const id of ids) {
      const message = messages.get(id);
      const isMatch = message && this.#matches(message);
      if (this.#members.has(id)) {
        if (isMatch === false) leaving.push(id);
        else this.invalidate();
      } else if (isMatch && this.#isInWindow(id)) coming.push(id);
    }
    this.#remove(leaving);
    this.#add(coming);
    const isOutdated = (id: number) => this.#members.has(id) && messages.get(id)?.isStale;
    if (this.#brings(event) || (isMove(event) && ids.some(isOutdated))) this.reloadSoon();
    if (isMove(event)) this.#follow(event);
  }

  /** Whether an event touches an ID in the window that is not kept, and what it says of the message belongs here. */
  #brings(event: ChatEvent): boolean {
    const touched = touchedBy(event);
    const isUnknown = (id: number) => !this.#members.has(id) && this.#isInWindow(id);
    return touched !== undefined && this.#matches(touched) === true && touched.ids.some(isUnknown);
  }

  /** Says where the whole topic went, or that it came back. */
  #follow(event: MoveEvent): void {
    const { narrow } = this;
    if (!isTopicPlace(narrow)) return;
    const { from, to, isWhole } = moveOf(event);
    const isTo = placeKey(narrow) === placeKey(to);
    const movedTo = isWhole && placeKey(narrow) === placeKey(from) ? to : undefined;
    if (movedTo ?? (isTo && this.#movedTo)) {
      this.#movedTo = movedTo;
      this.invalidate();
    }
  }

  /** Messages may have changed before they moved here from another channel. */
  #reloadIfStale(): void {
    const { messages, isSubscribed } = this.dependencies;
    const isOutdated = (id: number) => {
      const message = messages.get(id);
      return message?.isStale && (!isTopicPlace(message.place) || isSubscribed(message.place.channelId));
    };
    if (this.#ids.some(isOutdated)) this.reloadSoon();
  }

  #matches(message: Parameters<typeof matches>[1]): boolean | undefined {
    return matches(this.narrow, message, this.dependencies.isSubscribed);
  }

  #compute(): MessageListState {
    const { messages, outgoing } = this.dependencies;
    return {
      messages: this.#ids.map((id) => messages.get(id) as Message),
      outgoing: [...outgoing()].filter((message) => this.shows(message)),
      hasOldest: this.#hasOldest,
      hasNewest: this.#hasNewest,
      loading: this.#loading,
      anchor: this.#anchor,
      generation: this.#generation,
      isHistoryLimited: this.#isHistoryLimited,
      ...(this.#error && { error: this.#error }),
      ...(this.#movedTo && { movedTo: this.#movedTo }),
    };
  }

  /** Whether the ID lies where the window has all messages. While the window is fetched, everywhere. */
  #isInWindow(id: number): boolean {
    if (this.#loading === 'first') return true;
    const [first, last] = [this.#ids[0], this.#ids.at(-1)];
    if (first === undefined || last === undefined) return true;
    return (id > first || this.#hasOldest) && (id < last || this.#hasNewest);
  }

  async #fetchWindow(at: At, reader: 'place' | 'keep'): Promise<void> {
    await this.#fetch(
      'first',
      { anchor: at, num_before: MESSAGES_PER_FETCH, num_after: MESSAGES_PER_FETCH },
      (answer, ids) => {
        const { found_oldest = false, found_newest = false, anchor } = answer;
        const stays = reader === 'keep' && ids.some((id) => this.#members.has(id));
        this.#set(ids);
        this.#hasOldest = found_oldest;
        this.#hasNewest = found_newest;
        if (stays) return;
        this.#generation++;
        this.#anchor = at === 'newest' || !ids.includes(anchor ?? -1) ? undefined : anchor;
      },
    );
  }

  async #extend(direction: 'older' | 'newer', count = MESSAGES_PER_FETCH): Promise<void> {
    const isOlder = direction === 'older';
    if (this.#loading !== 'none' || this.#isClosed) return;
    if (this.#generation === 0) return this.load();
    const side = isOlder ? 0 : -1;
    const edge = this.#ids.at(side);
    if (edge === undefined || (isOlder ? this.#hasOldest : this.#hasNewest)) return;
    const counts = { num_before: isOlder ? count : 0, num_after: isOlder ? 0 : count };
    await this.#fetch(direction, { anchor: edge, include_anchor: false, ...counts }, (answer, ids) => {
      // Trimmed: new messages came. The response would leave a gap.
      if (this.#ids.at(side) !== edge) return;
      if (isOlder) this.#hasOldest = answer.found_oldest ?? false;
      else this.#hasNewest = answer.found_newest ?? false;
      this.#add(ids, isOlder ? 'newest' : 'oldest');
    });
  }

  async #fetch(
    loading: 'first' | 'older' | 'newer',
    parameters: Parameters<Session['messages']['list']>[0],
    onAnswer: (answer: Awaited<ReturnType<Session['messages']['list']>>, ids: number[]) => void,
  ): Promise<void> {
    const { session, batch, messages, onFetched, onUnreachable, me, isReady } = this.dependencies;
    // `reset` of the store loads the list then.
    if (!isReady()) return;
    const epoch = loading === 'first' ? ++this.#epoch : this.#epoch;
    const isCurrent = () => epoch === this.#epoch && !this.#isClosed;
    this.#loading = loading;
    this.#error = undefined;
    if (loading === 'first') this.#isOutdated = false;
    this.invalidate();
    const fetch = messages.beginFetch();
    try {
      const answer = await session.messages.list({
        ...parameters,
        narrow: termsOf(this.narrow, me()),
        client_gravatar: false,
        allow_empty_topic_name: true,
      });
      batch.run(() => {
        if (!isCurrent()) return;
        const { ids, arrived } = fetch.receive(answer.messages);
        this.#loading = 'none';
        this.#isHistoryLimited = answer.history_limited;
        const isHere = (id: number) => this.#matches(messages.get(id) as Message) !== false;
        onAnswer(answer, ids.filter(isHere));
        if (this.#hasNewest && !('search' in this.narrow)) this.#add(arrived.filter(isHere));
        onFetched(ids);
        this.#reloadIfStale();
        this.invalidate();
      });
    } catch (error) {
      if (!isCurrent()) return;
      this.#loading = 'none';
      this.#error = error as Error;
      this.invalidate();
      if (!isChatError(error) || error.status >= 500) onUnreachable();
    } finally {
      fetch.end();
    }
    if (isCurrent() && this.#isOutdated) await this.reload();
  }

  /** Fetches again after the batch of events, or after the fetch under way. */
  reloadSoon(): void {
    if (this.#isOutdated) return;
    this.#isOutdated = true;
    if (this.#loading === 'first') return;
    queueMicrotask(() => {
      if (this.#isOutdated) void this.reload();
    });
  }

  #set(ids: readonly number[]): void {
    const old = this.#ids;
    this.#ids = [...ids].sort((a, b) => a - b);
    this.#members = new Set(ids);
    this.dependencies.messages.hold(ids);
    this.dependencies.messages.release(old);
  }

  /** @param trim the side that loses messages if there are too many; default: the side far from the reader */
  #add(ids: readonly number[], trim?: 'oldest' | 'newest'): void {
    const added = ids.filter((id) => !this.#members.has(id));
    if (added.length === 0) return;
    const { messages } = this.dependencies;
    const all = [...this.#ids, ...added].sort((a, b) => a - b);
    messages.hold(added);
    for (const id of added) this.#members.add(id);
    let surplus: number[] = [];
    if (all.length > this.limit) {
      const isOldest = (trim ?? this.#farSide(all)) === 'oldest';
      surplus = isOldest ? all.splice(0, all.length - this.limit) : all.splice(this.limit);
      if (isOldest) this.#hasOldest = false;
      else this.#hasNewest = false;
    }
    this.#ids = all;
    for (const id of surplus) this.#members.delete(id);
    messages.release(surplus);
    this.invalidate();
  }

  #farSide(ids: readonly number[]): 'oldest' | 'newest' {
    const at = typeof this.#reader === 'number' ? ids.indexOf(this.#reader) : -1;
    return at !== -1 && at < ids.length / 4 ? 'newest' : 'oldest';
  }

  #remove(ids: readonly number[]): void {
    const removed = ids.filter((id) => this.#members.has(id));
    if (removed.length === 0) return;
    for (const id of removed) this.#members.delete(id);
    this.#ids = this.#ids.filter((id) => this.#members.has(id));
    this.dependencies.messages.release(removed);
    this.invalidate();
  }
}

/** The messages of an event that may belong to other lists afterwards, and what it says of them. */
function touchedBy(event: ChatEvent) {
  if (event.type === 'update_message_flags' && event.op === 'add')
    return { ids: event.messages, flags: new Set([event.flag]) };
  if (event.type !== 'update_message') return undefined;
  const flags = new Set(event.flags);
  return isMove(event)
    ? { ids: event.message_ids, flags, place: moveOf(event).to }
    : { ids: [event.message_id], flags };
}
