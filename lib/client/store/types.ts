import type { AbortSignalLike } from '../../base/platform-types.ts';
import type { ChatEvent, Session } from '../../chat/session.ts';
import type {
  Channel,
  Conversation,
  CustomEmoji,
  EmojiRef,
  EmojiTable,
  Me,
  Message,
  Organization,
  Outgoing,
  OwnSettings,
  Person,
  Place,
  Presence,
  Status,
  Topic,
  TopicPlace,
  UnreadCounts,
} from './records.ts';

export type * from './records.ts';

/** A value that changes. Listeners run after a whole batch of events, not after each event. */
export interface Cell<T> {
  /** The value now. The same object as before if nothing changed. */
  get(): T;
  /** The same as `get()`. */
  readonly value: T;
  /** Calls `run` after each change. Returns a function that ends it. */
  listen(run: (value: T) => void): () => void;
  /** Like `listen`, and calls `run` at once with the value now. */
  subscribe(run: (value: T) => void): () => void;
}

/** The messages of a list. */
export type Narrow =
  | Place
  | { readonly channelId: number }
  | { readonly view: 'all' | 'mentions' | 'starred' }
  /**
   * Terms of a search, as in the API: `[['sender', 'ada@example.com'], ['search', 'lunch']]`. A minus negates a term:
   * `['-sender', 9]`.
   */
  | { readonly search: readonly (readonly [operator: string, operand: string | number | readonly number[]])[] };

/** Subscribed channels, and others that were looked up, by ID. */
export interface Channels extends Cell<ReadonlyMap<number, Channel>> {
  /** Channels whose name matches, at most 20, also those that the user may subscribe to. */
  search(query: string, options?: { signal?: AbortSignalLike }): Promise<readonly Channel[]>;
  /** The own policy of a topic: 0 none, 1 muted, 2 unmuted, 3 followed. */
  policy(channelId: number, topic: string): number;
  /** Fetches a channel that is not in the cell. `external:order-17` is the one with this ID in your program. */
  lookUp(nameOrId: string | number): Promise<Channel>;
  /** Topics of a channel, the newest first. The first listener fetches them. */
  topics(channelId: number): Cell<readonly Topic[]>;
}

/** Users, as far as they were needed. */
export interface People {
  /** A user. Fetched together with others. */
  user(id: number): Cell<Person | undefined>;
  /** All active users that are fetched. */
  loaded(): readonly Person[];
  /** Users whose name or address matches, at most 20, best first. Without deactivated users. */
  search(query: string, options?: { channelId?: number; signal?: AbortSignalLike }): Promise<readonly Person[]>;
  /** Groups to mention. */
  groups(): Promise<readonly { id: number; name: string; description: string; members: readonly number[] }[]>;
}

/** Who types where, and who is online. */
export interface Activity {
  /** Users who are typing there. */
  typing(place: Place): Cell<readonly number[]>;
  /** The user types there. Call it with every change of the text; the store limits requests. */
  notifyTyping(place: Place): void;
  /** The user has stopped typing. */
  stopTyping(place: Place): void;
  /** Whether a user is online. `unknown` until `reportPresence`. */
  presence(userId: number): Cell<Presence>;
  /** Report the own presence, now and every minute until `stop`: true while the user is active, false while idle. */
  reportPresence(isActive: boolean): void;
}

/** Lists of messages, and changes of messages. */
export interface Messages {
  /**
   * Opens a list. Close it afterwards. Cuts a topic that is too long, as the server does.
   * @param options `limit`: messages that the list keeps; default 400
   */
  open(narrow: Narrow, at?: 'first_unread' | 'newest' | number, options?: { limit?: number }): MessageList;
  /** A message, if a list has it or `fetch` has fetched it. */
  message(id: number): Cell<Message | undefined>;
  /**
   * Fetches messages, at most 5,000. Those whose cell has a listener stay, and events change them. Leaves out messages that
   * the user may not read.
   * @throws ChatError
   */
  fetch(ids: readonly number[]): Promise<void>;
  /** The Markdown of a message. */
  markdown(id: number): Promise<string>;
  /**
   * Changes the text.
   * @throws ChatError; `EXPECTATION_MISMATCH` if it was changed in between
   */
  edit(id: number, content: string): Promise<void>;
  /**
   * Deletes a message.
   * @throws ChatError
   */
  delete(id: number): Promise<void>;
  /** Adds or removes an own reaction. Shown at once; undone when it is refused. */
  react(id: number, emoji: EmojiRef, on: boolean): Promise<void>;
  /**
   * Adds or removes a star.
   * @throws ChatError
   */
  star(id: number, on: boolean): Promise<void>;
  /** Calls `run` with new unread messages, after the counts have changed. Returns a function that stops it. */
  onUnread(run: (messages: readonly Message[]) => void): () => void;
  /** Whether a message is unread, also if no list has it. */
  isUnread(id: number): boolean;
  /**
   * Number of unread messages of a list with a higher ID than `after`, loaded or not. 0 for searches and starred
   * messages.
   */
  countUnread(narrow: Narrow, after: number): number;
  /** Counted at once. One request for all calls within 500 ms. */
  markRead(ids: Iterable<number>): void;
  /** IDs of all counted unread messages, also in muted places. */
  unreadIds(): readonly number[];
  /**
   * Marks messages as unread.
   * @throws ChatError
   */
  markUnread(ids: readonly number[]): Promise<void>;
}

/** Unconfirmed messages, by `localId`. */
export interface Outbox extends Cell<ReadonlyMap<string, Outgoing>> {
  /** Sends a message. The outbox has it at once, and again after a reload. Never throws. */
  send(place: Place, content: string): Outgoing;
  /** Sends a message again that failed or is unsure. */
  retry(localId: string): void;
  /** Removes a message that failed or is unsure. Returns it, for the composer. */
  discard(localId: string): Outgoing | undefined;
}

/** What a list shows. */
export interface MessageListState {
  /** In ascending order of ID, at most `limit`. */
  readonly messages: readonly Message[];
  /** Own messages of this place that have no row yet, oldest first. Also while the newest messages are not in the list. */
  readonly outgoing: readonly Outgoing[];
  /** There are no older messages. */
  readonly hasOldest: boolean;
  /** There are no newer messages. New ones are added. */
  readonly hasNewest: boolean;
  /** What is fetched now. */
  readonly loading: 'none' | 'first' | 'older' | 'newer';
  /** Where to place the reader after `generation` changed: the first unread message, or the one asked for. */
  readonly anchor: number | undefined;
  /** Grows when the window was replaced: the reader is placed at `anchor` anew. */
  readonly generation: number;
  /** The last fetch failed. `older`, `newer` or `around` retries. */
  readonly error?: Error;
  /** The whole topic was moved or renamed to this place. */
  readonly movedTo?: TopicPlace;
  /** A limit of the server hides some old messages. */
  readonly isHistoryLimited: boolean;
}

/** An open list of messages. */
export interface MessageList {
  /** What the list was opened with. A topic is as the server stores it: trimmed, and cut to 60 characters. */
  readonly narrow: Narrow;
  /** What it shows now. */
  readonly state: Cell<MessageListState>;
  /**
   * Fetches older messages. One fetch at a time. Resolves also if it fails: see `error` of the state.
   * @param count 1 to 400; default 50. A list that is full drops messages at the other end
   */
  older(count?: number): Promise<void>;
  /** Fetches newer messages, like `older`. */
  newer(count?: number): Promise<void>;
  /** Replaces the window by one around this message, or at the newest. */
  around(at: number | 'newest' | 'first_unread'): Promise<void>;
  /** The message that the reader looks at, or the end. When the list is fetched again or trimmed, it stays. */
  holdAt(at: number | 'newest'): void;
  /** Ends the list. Its messages are dropped. */
  close(): void;
}

/** What typing at the caret can be completed to. */
export interface Suggestion {
  /** What it inserts. */
  readonly kind: 'person' | 'wildcard' | 'group' | 'emoji' | 'channel' | 'topic' | 'command';
  /** What to show: a name. */
  readonly label: string;
  /** A second line: an e-mail address, a description. */
  readonly detail?: string;
  /** The user to mention. */
  readonly person?: Person;
  /** The emoji. */
  readonly emoji?: EmojiRef & { readonly character?: string; readonly url?: string };
  /** Replaces the text from `from` to the caret by `insert`. Code units. */
  readonly from: number;
  /** The text to insert. */
  readonly insert: string;
}

/** The text that the user has begun for a place. */
export interface Draft extends Cell<string> {
  /** Kept in this browser at once, and on the server after 2 seconds. */
  set(text: string): void;
}

/** `not_stored`: the browser cannot store drafts and unsent messages (full or disabled). Closing the page loses them. */
export type Warning = 'not_stored';

/** Keeps drafts and unsent messages between pages. `localStorage` has this shape. */
export interface DraftStorage {
  /** The stored text, or null. */
  getItem(key: string): string | null;
  /** Stores a text. May throw if there is no space. */
  setItem(key: string, value: string): void;
  /** Removes a text. */
  removeItem(key: string): void;
  /** The number of texts. */
  readonly length: number;
  /** The key of a text, by its position. */
  key(index: number): string | null;
}

/** Options of `createChatStore`. */
export interface ChatStoreOptions {
  /** Address of the server, as for `connect`. For files of the server such as the list of emoji. */
  site?: string;
  /** Keeps drafts and unsent messages between pages. Default: `localStorage` if there is one. */
  storage?: DraftStorage | null;
}

/**
 * A chat as one user sees it, kept up to date by events. Read a cell, listen to it, and call methods; the store fetches
 * what is missing. Without DOM: it also runs in Node.
 */
export interface ChatStore {
  /** The session that the store uses. Call its operations for everything that the store has no method for. */
  readonly session: Session;
  /** Whether the data is up to date. */
  readonly status: Cell<Status>;
  /** What does not work in this browser. */
  readonly warnings: Cell<ReadonlySet<Warning>>;
  /**
   * The events of the last response, after the other cells have changed. For data that the store does not keep, such as
   * reminders: fetch it again after its event. Empty after a new start: events may be missing.
   */
  readonly events: Cell<readonly ChatEvent[]>;
  /** Milliseconds since the epoch, by the clock of the server: that of the browser may be wrong. */
  now(): number;
  /** The own account. Undefined before the first data. */
  readonly me: Cell<Me | undefined>;
  /** Settings of the organization and limits. Undefined before the first data. */
  readonly organization: Cell<Organization | undefined>;
  /** The own settings. Undefined before the first data. */
  readonly settings: Cell<OwnSettings | undefined>;
  /** Channels and their topics. */
  readonly channels: Channels;
  /** Direct conversations, the newest first. */
  readonly conversations: Cell<readonly Conversation[]>;
  /** Counts of unread messages. */
  readonly unread: Cell<UnreadCounts>;
  /** IDs of starred messages. */
  readonly starred: Cell<ReadonlySet<number>>;
  /** IDs of muted users, including blocked ones. Hide their messages. */
  readonly mutedUsers: Cell<ReadonlySet<number>>;
  /** IDs of blocked users. */
  readonly blockedUsers: Cell<ReadonlySet<number>>;
  /** Users and groups. */
  readonly people: People;
  /** Emoji of the organization by name, and those of the server, which `table` fetches once. */
  readonly emoji: { readonly custom: Cell<ReadonlyMap<string, CustomEmoji>>; table(): Promise<EmojiTable> };
  /** Lists of messages, and changes of messages. */
  readonly messages: Messages;
  /** Own messages on their way. */
  readonly outbox: Outbox;
  /** The drafts of places. */
  readonly drafts: { of(place: Place): Draft };
  /** Who types where, and who is online. */
  readonly activity: Activity;
  /**
   * Ends the login in this browser and keeps no text there. Saves unsent texts as drafts on the server, calls
   * `endLogin`, and removes all texts of this account from `storage`. If `endLogin` rejects, removes nothing and rejects.
   */
  logOut(endLogin: () => Promise<unknown>): Promise<void>;
  /** While offline or signed out: tries again now. */
  retryNow(): void;
  /** Sends what waits: read flags and drafts. Call it when the browser hides the page. */
  flush(): Promise<void>;
  /** Starts. Again after `stop` works too. */
  start(): void;
  /** Stops, and sends what waits: read flags and drafts. */
  stop(): Promise<void>;
}
