import type { ChatEvent, QueuedEvent, Session } from '../../chat/session.ts';
import { Account } from './account.ts';
import { AccountStorage, browserStorage } from './account-storage.ts';
import { Activity } from './activity.ts';
import { Batch, SourceCell } from './cell.ts';
import { Channels } from './channels.ts';
import { Conversations } from './conversations.ts';
import { Drafts } from './drafts.ts';
import { Emoji } from './emoji.ts';
import { Feed, type FeedTarget, type Initial } from './feed.ts';
import { KeptMessages } from './kept-messages.ts';
import { Messages } from './messages.ts';
import { OpenLists } from './open-lists.ts';
import { Outbox } from './outbox.ts';
import { People } from './people.ts';
import { isTopicPlace } from './places.ts';
import { ReadFlags } from './read-flags.ts';
import { starredAfter } from './starred.ts';
import type { Cell, ChatStore, ChatStoreOptions, Conversation, Me, Status, UnreadCounts, Warning } from './types.ts';
import { Unread } from './unread.ts';

/** Milliseconds until a retry while the store is live. Each further failure doubles them. */
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Creates a store for the session of one user. It does nothing before `start`.
 * @example
 * const store = createChatStore(connect({ site: '/chat' }));
 * store.unread.subscribe(({ total }) => showBadge(total));
 * store.start();
 */
export function createChatStore(session: Session, options: ChatStoreOptions = {}): ChatStore {
  return new Store(session, options);
}

class Store implements ChatStore, FeedTarget {
  readonly #batch = new Batch();
  readonly #account = new Account(this.#batch);
  readonly #me = () => this.#account.id;
  readonly status = new SourceCell<Status>(this.#batch, { state: 'starting' });
  readonly warnings = new SourceCell<ReadonlySet<Warning>>(this.#batch, new Set());
  readonly starred = new SourceCell<ReadonlySet<number>>(this.#batch, new Set());
  readonly events = new SourceCell<readonly ChatEvent[]>(this.#batch, []);
  readonly me = this.#account.me;
  readonly organization = this.#account.organization;
  readonly settings = this.#account.settings;
  readonly mutedUsers = this.#account.mutedUsers;
  readonly blockedUsers = this.#account.blockedUsers;
  readonly unread: Cell<UnreadCounts>;
  readonly conversations: Cell<readonly Conversation[]>;
  readonly people: People;
  readonly channels: Channels;
  readonly emoji: Emoji;
  readonly messages: Messages;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  readonly activity: Activity;
  readonly #unread: Unread;
  readonly #conversations: Conversations;
  readonly #kept: KeptMessages;
  readonly #readFlags: ReadFlags;
  readonly #lists: OpenLists;
  readonly #storage: AccountStorage;
  #feed: Feed | undefined;
  #queueId: string | undefined;
  #looking: ReturnType<typeof setTimeout> | undefined;
  /** Requests in a row that failed while the store was live. */
  #misses = 0;

  constructor(
    readonly session: Session,
    { site, storage = browserStorage() }: ChatStoreOptions,
  ) {
    const batch = this.#batch;
    const me = this.#me;
    const isSubscribed = (channelId: number) => this.channels.isSubscribed(channelId);
    this.#storage = new AccountStorage({
      storage,
      owner: () => this.organization.get() && `${this.organization.get()?.realm_url} ${me()}`,
      warn: (warnings) => {
        if (this.warnings.get().size !== warnings.length) this.warnings.set(new Set(warnings));
      },
    });
    this.people = new People(session, batch);
    this.emoji = new Emoji(batch, { organization: this.organization, site });
    this.activity = new Activity(session, batch, me, () => this.organization.get());
    this.#readFlags = new ReadFlags(session);
    this.#unread = new Unread(batch, me, {
      isSubscribed,
      isMutedTopic: (channelId, topic) => this.channels.isMutedTopic(channelId, topic),
      isMutedUser: (userId) => this.mutedUsers.get().has(userId),
      onChange: (place) => {
        if (isTopicPlace(place)) this.channels.invalidateTopics(place.channelId);
        else this.#conversations.cell.invalidate();
      },
    });
    this.unread = this.#unread.counts;
    this.channels = new Channels(batch, {
      session,
      countIn: (place) => this.#unread.countIn(place),
      onPolicy: (channelId) => this.#unread.recount(channelId),
    });
    this.#conversations = new Conversations(batch, me, (userIds) => this.#unread.countIn({ userIds }).count);
    this.conversations = this.#conversations.cell;
    this.#kept = new KeptMessages(batch, { me, isSubscribed });
    this.outbox = new Outbox({
      session,
      batch,
      storage: this.#storage,
      queueId: () => this.#queueId,
      me,
      comesByEvent: (id, place) => !this.#kept.get(id) && (!isTopicPlace(place) || isSubscribed(place.channelId)),
      onChange: (outgoing) => this.#lists.showOutgoing(outgoing),
      onUnreachable: () => this.#lookAgain(),
      show: (id) => this.#lists.show(id),
    });
    this.#lists = new OpenLists({
      session,
      batch,
      messages: this.#kept,
      me,
      isReady: () => this.me.get() !== undefined,
      isSubscribed,
      outgoing: () => this.outbox.get().values(),
      onFetched: (ids) => {
        this.#misses = 0;
        this.#keepRead(ids);
        this.outbox.onArrival(ids);
      },
      onUnreachable: () => this.#lookAgain(),
    });
    this.messages = new Messages({
      session,
      me,
      kept: this.#kept,
      lists: this.#lists,
      unread: this.#unread,
      readFlags: this.#readFlags,
    });
    this.drafts = new Drafts({
      session,
      batch,
      storage: this.#storage,
      me,
      isSynchronized: () => this.settings.get()?.enable_drafts_synchronization === true,
      maxLength: () => this.organization.get()?.max_message_length ?? 0,
      serverTime: () => this.activity.serverTime(),
    });
  }

  now(): number {
    return this.activity.serverTime() * 1000;
  }

  start(): void {
    if (this.#feed) return;
    this.#feed = new Feed(this.session, this);
    void this.#feed.run();
  }

  async stop(): Promise<void> {
    const feed = this.#feed;
    if (!feed) return;
    this.#feed = undefined;
    clearTimeout(this.#looking);
    this.#looking = undefined;
    const ended = feed.stop(); // First: a registration that ends now must not begin again.
    this.activity.stop();
    this.outbox.stop();
    await this.flush();
    this.#readFlags.stop();
    await ended;
  }

  async flush(): Promise<void> {
    if (this.status.get().state === 'signed-out') return;
    await Promise.all([this.#readFlags.send(), this.drafts.send()]);
  }

  async logOut(endLogin: () => Promise<unknown>): Promise<void> {
    for (const { localId } of this.outbox.get().values()) {
      const unsent = this.outbox.discard(localId);
      if (!unsent) continue;
      const draft = this.drafts.of(unsent.place);
      draft.set([draft.get(), unsent.content].filter(Boolean).join('\n\n'));
    }
    await this.flush();
    await endLogin();
    this.outbox.stop();
    this.drafts.forget();
    this.#storage.clear();
  }

  retryNow(): void {
    this.#feed?.retryNow();
  }

  reset(initial: Initial, me: Me): void {
    const isFirst = this.#queueId === undefined;
    this.#queueId = initial.queue_id;
    this.#batch.run(() => {
      this.#account.reset(initial, me);
      this.emoji.reset(initial);
      this.channels.reset(initial);
      this.#unread.reset(initial);
      this.#unread.remove(this.#readFlags.waiting);
      this.#conversations.reset(initial);
      this.activity.reset(initial.server_timestamp);
      this.drafts.reset(initial);
      this.outbox.reset();
      this.starred.set(new Set(initial.starred_messages));
      this.events.set([]);
      this.#kept.reset(initial);
      if (!isFirst) this.people.reset();
    });
    this.#lists.reload();
  }

  apply(events: readonly QueuedEvent[]): void {
    this.#batch.run(() => {
      for (const event of events) this.#applyOne(event);
      this.events.set(events);
    });
    this.messages.onApplied(events);
  }

  setStatus(status: Status): void {
    const before = this.status.get().state;
    this.status.set(status);
    if (status.state === 'signed-out') {
      // Another tab may have logged out and removed the texts from the storage.
      this.outbox.stop();
      this.drafts.stop();
      this.activity.stop();
    }
    if (status.state !== 'live') return;
    if (before !== 'live') void this.drafts.send();
    this.outbox.retryUnsure();
    void this.#readFlags.send();
    for (const part of [this.#lists, this.channels, this.people]) part.retry();
  }

  /** Opens another stream after requests failed: it shows that the server is away, or fetches and sends again. */
  #lookAgain(): void {
    if (this.#looking || this.status.get().state !== 'live') return;
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#misses++);
    this.#looking = setTimeout(() => {
      this.#looking = undefined;
      this.retryNow();
    }, pause);
  }

  #applyOne(event: ChatEvent): void {
    this.#account.apply(event);
    this.channels.apply(event);
    this.#unread.apply(event);
    this.#conversations.apply(event);
    this.people.apply(event);
    this.emoji.apply(event);
    this.activity.apply(event);
    this.drafts.apply(event);
    this.#lists.apply(event);
    if (event.type === 'update_message') this.#keepRead();
    this.outbox.apply(event);
    this.starred.set(starredAfter(this.starred.get(), event));
    if (event.type === 'muted_users') this.#unread.recount();
  }

  /** What the user has read here stays read, although the server does not know it yet. @param changed other changes */
  #keepRead(changed: readonly number[] = []): void {
    this.#lists.change(() => [...changed, ...this.#kept.updateFlag(this.#readFlags.waiting, 'read', 'add')]);
  }
}
