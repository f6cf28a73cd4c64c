import type { ChatEvent, QueuedEvent, Session } from '../../chat/session.ts';
import { Account } from './account.ts';
import { AccountStorage, browserStorage } from './account-storage.ts';
import { Activity } from './activity.ts';
import { Batch, SourceCell } from './cell.ts';
import { Channels } from './channels.ts';
import { Conversations } from './conversations.ts';
import { Drafts } from './drafts.ts';
import { fetchEmoji } from './emoji.ts';
import { Feed, type FeedTarget, type Initial } from './feed.ts';
import { MessageActions } from './message-actions.ts';
import { Messages } from './messages.ts';
import { OpenLists } from './open-lists.ts';
import { Outbox } from './outbox.ts';
import { People } from './people.ts';
import { isTopicPlace, stored } from './places.ts';
import { ReadFlags } from './read-flags.ts';
import { starredAfter } from './starred.ts';
import { suggest } from './suggest.ts';
import type {
  ChatStore,
  ChatStoreOptions,
  EmojiRef,
  EmojiTable,
  Me,
  Narrow,
  Outgoing,
  Place,
  Status,
  Uploaded,
  Warning,
} from './types.ts';
import { Unread } from './unread.ts';

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
  readonly people: People;
  readonly me = this.#account.me;
  readonly organization = this.#account.organization;
  readonly settings = this.#account.settings;
  readonly mutedUsers = this.#account.mutedUsers;
  readonly blockedUsers = this.#account.blockedUsers;
  readonly customEmoji = this.#account.customEmoji;
  readonly #channels: Channels;
  readonly #unread: Unread;
  readonly #conversations: Conversations;
  readonly #messages: Messages;
  readonly #activity: Activity;
  readonly #outbox: Outbox;
  readonly #drafts: Drafts;
  readonly #readFlags: ReadFlags;
  readonly #actions: MessageActions;
  readonly #lists: OpenLists;
  readonly #storage: AccountStorage;
  #feed: Feed | undefined;
  #queueId: string | undefined;
  #emoji: Promise<EmojiTable> | undefined;
  #groups: Promise<readonly { name: string; description: string }[]> | undefined;

  constructor(
    readonly session: Session,
    private readonly options: ChatStoreOptions,
  ) {
    const batch = this.#batch;
    const me = this.#me;
    this.#storage = new AccountStorage({
      storage: options.storage === undefined ? browserStorage() : options.storage,
      owner: () => this.organization.get() && `${this.organization.get()?.realm_url} ${me()}`,
      warn: (warnings) => {
        if (this.warnings.get().size !== warnings.length) this.warnings.set(new Set(warnings));
      },
    });
    this.people = new People(session, batch);
    this.#activity = new Activity(session, batch, me);
    this.#readFlags = new ReadFlags(session);
    this.#unread = new Unread(batch, me, {
      isSubscribed: (channelId) => this.#channels.isSubscribed(channelId),
      isMutedTopic: (channelId, topic) => this.#channels.isMutedTopic(channelId, topic),
      isMutedUser: (userId) => this.mutedUsers.get().has(userId),
      onChange: (place) => {
        if (isTopicPlace(place)) this.#channels.invalidateTopics(place.channelId);
        else this.#conversations.cell.invalidate();
      },
    });
    this.#channels = new Channels(batch, {
      session,
      countIn: (place) => this.#unread.countIn(place),
      onPolicy: (channelId) => this.#unread.recount(channelId),
    });
    this.#conversations = new Conversations(batch, me, (userIds) => this.#unread.countIn({ userIds }).count);
    this.#messages = new Messages(batch, { me, isSubscribed: (id) => this.#channels.isSubscribed(id) });
    this.#actions = new MessageActions(session, (id, reaction, op) => {
      this.#lists.change(() => {
        this.#messages.updateReaction(id, { ...reaction, user_id: me() }, op);
        return [id];
      });
    });
    this.#outbox = new Outbox({
      session,
      batch,
      storage: this.#storage,
      queueId: () => this.#queueId,
      me,
      comesByEvent: (id, place) =>
        !this.#messages.get(id) && (!isTopicPlace(place) || this.#channels.isSubscribed(place.channelId)),
      onChange: (outgoing) => this.#lists.showOutgoing(outgoing),
      show: (id) => this.#lists.show(id),
    });
    this.#lists = new OpenLists({
      session,
      batch,
      messages: this.#messages,
      me,
      isReady: () => this.me.get() !== undefined,
      isSubscribed: (id) => this.#channels.isSubscribed(id),
      outgoing: () => this.outgoing.get().values(),
      onFetched: (ids) => {
        this.#keepRead(ids);
        this.#outbox.onArrival(ids);
      },
    });
    this.#drafts = new Drafts({
      session,
      batch,
      storage: this.#storage,
      me,
      isSynchronized: () => this.settings.get()?.enable_drafts_synchronization === true,
      serverTime: () => this.#activity.serverTime(),
    });
  }

  get channels() {
    return this.#channels.cell;
  }

  get unread() {
    return this.#unread.counts;
  }

  get conversations() {
    return this.#conversations.cell;
  }

  get outgoing() {
    return this.#outbox.cell;
  }

  now(): number {
    return this.#activity.serverTime() * 1000;
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
    const ended = feed.stop(); // First: a registration that ends now must not begin again.
    this.#activity.stop();
    this.#outbox.stop();
    await this.flush();
    this.#readFlags.stop();
    await ended;
  }

  async flush(): Promise<void> {
    if (this.status.get().state === 'signed-out') return;
    await Promise.all([this.#readFlags.send(), this.#drafts.send()]);
  }

  async logOut(endLogin: () => Promise<unknown>): Promise<void> {
    for (const { localId } of this.outgoing.get().values()) {
      const unsent = this.discard(localId);
      if (!unsent) continue;
      const draft = this.draft(unsent.place);
      draft.set([draft.get(), unsent.content].filter(Boolean).join('\n\n'));
    }
    await this.flush();
    await endLogin();
    this.#outbox.stop();
    this.#drafts.forget();
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
      this.#channels.reset(initial);
      this.#unread.reset(initial);
      this.#unread.remove(this.#readFlags.waiting);
      this.#conversations.reset(initial);
      this.#activity.reset(initial.server_timestamp);
      this.#drafts.reset(initial);
      this.#outbox.reset();
      this.starred.set(new Set(initial.starred_messages));
      this.#groups = undefined;
      this.#messages.reset(initial);
      if (!isFirst) this.people.reset();
    });
    this.#lists.reload();
  }

  apply(events: readonly QueuedEvent[]): void {
    this.#batch.run(() => {
      for (const event of events) this.#applyOne(event);
    });
  }

  setStatus(status: Status): void {
    const before = this.status.get().state;
    this.status.set(status);
    if (status.state === 'signed-out') {
      // Another tab may have logged out and removed the texts from the storage.
      this.#outbox.stop();
      this.#drafts.stop();
    }
    if (status.state !== 'live') return;
    if (before !== 'live') void this.#drafts.send();
    this.#outbox.retryUnsure();
    void this.#readFlags.send();
    for (const part of [this.#lists, this.#channels, this.people]) part.retry();
  }

  #applyOne(event: ChatEvent): void {
    this.#account.apply(event);
    this.#channels.apply(event);
    this.#unread.apply(event);
    this.#conversations.apply(event);
    this.people.apply(event);
    this.#activity.apply(event);
    this.#drafts.apply(event);
    this.#lists.apply(event);
    if (event.type === 'update_message') this.#keepRead();
    this.#outbox.apply(event);
    this.starred.set(starredAfter(this.starred.get(), event));
    if (event.type === 'muted_users') this.#unread.recount();
    if (event.type === 'user_group') this.#groups = undefined;
  }

  /** What the user has read here stays read, although the server does not know it yet. @param changed other changes */
  #keepRead(changed: readonly number[] = []): void {
    this.#lists.change(() => [...changed, ...this.#messages.updateFlag(this.#readFlags.waiting, 'read', 'add')]);
  }

  async emoji(): Promise<EmojiTable> {
    const { server_emoji_data_url: url = '', realm_url = '' } = this.organization.get() ?? {};
    if (!url) return { names: new Map(), codes: new Map() };
    const { site } = this.options;
    const address = site !== undefined && url.startsWith(realm_url) ? site + url.slice(realm_url.length) : url;
    this.#emoji ??= fetchEmoji(address).catch((error: unknown) => {
      this.#emoji = undefined;
      throw error;
    });
    return this.#emoji;
  }

  searchChannels(query: string, options?: { signal?: AbortSignal }) {
    return this.#channels.search(query, options);
  }

  lookUpChannel(nameOrId: string | number) {
    return this.#channels.lookUp(nameOrId);
  }

  channelTopics(channelId: number) {
    return this.#channels.topics(channelId);
  }

  typing(place: Place) {
    return this.#activity.typing(stored(place, this.#me()));
  }

  notifyTyping(place: Place): void {
    this.#activity.notifyTyping(stored(place, this.#me()));
  }

  stopTyping(place: Place): void {
    this.#activity.stopTyping(stored(place, this.#me()));
  }

  presence(userId: number) {
    return this.#activity.presence(userId);
  }

  reportPresence(isActive: boolean): void {
    this.#activity.reportPresence(isActive);
  }

  draft(place: Place) {
    return this.#drafts.draft(stored(place, this.#me()));
  }

  message(id: number) {
    return this.#messages.cell(id);
  }

  open(narrow: Narrow, at: 'first_unread' | 'newest' | number = 'first_unread') {
    return this.#lists.open(stored(narrow, this.#me()), at);
  }

  suggest(text: string, caret: number, place: Place) {
    return suggest(text, caret, place, {
      people: this.people,
      channels: this.channels.get(),
      searchChannels: (query) => this.searchChannels(query),
      topicsOf: async (stream_id) => (await this.session.topics.list({ stream_id })).topics,
      groups: () => this.#userGroups(),
      customEmoji: this.customEmoji.get(),
      emoji: () => this.emoji(),
    });
  }

  send(place: Place, content: string): Outgoing {
    return this.#outbox.send(stored(place, this.#me()), content);
  }

  retry(localId: string): void {
    this.#outbox.retry(localId);
  }

  discard(localId: string): Outgoing | undefined {
    return this.#outbox.discard(localId);
  }

  markdown(id: number): Promise<string> {
    return this.#actions.markdown(id);
  }

  edit(id: number, content: string): Promise<void> {
    return this.#actions.edit(id, content);
  }

  delete(id: number): Promise<void> {
    return this.#actions.delete(id);
  }

  react(id: number, emoji: EmojiRef, on: boolean): Promise<void> {
    return this.#actions.react(id, emoji, on);
  }

  star(id: number, on: boolean): Promise<void> {
    return this.#actions.star(id, on);
  }

  markRead(ids: Iterable<number>): void {
    const unread = [...ids].filter((id) => this.#unread.has(id) || this.#messages.get(id)?.flags.has('read') === false);
    if (unread.length === 0) return;
    this.#readFlags.add(unread);
    this.#lists.change(() => {
      this.#unread.remove(unread);
      return this.#messages.updateFlag(unread, 'read', 'add');
    });
  }

  upload(
    file: Blob,
    options?: { onProgress?(sent: number, of: number): void; signal?: AbortSignal },
  ): Promise<Uploaded> {
    return this.session.uploads.send({ file }, options);
  }

  #userGroups() {
    this.#groups ??= this.session.userGroups
      .list()
      .then(({ user_groups }) => user_groups.filter(({ is_system_group }) => !is_system_group))
      .catch(() => {
        this.#groups = undefined;
        return [];
      });
    return this.#groups;
  }
}
