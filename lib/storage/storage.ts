import type { EventDraft, LoggedEvent } from '../kernel/event.ts';

/**
 * What the engine asks of a store, in the words of the domain. Records carry the wire's own field
 * names; times are milliseconds since the epoch where the name ends in `_ms`, seconds otherwise.
 * Inside `read` and `write` nothing but the transaction is awaited: the work may be repeated.
 */
export interface Storage {
  /** Applies migrations; refuses a file that is not ours or is newer than this code. */
  open(): Promise<void>;
  close(): Promise<void>;
  /** One consistent snapshot of what is committed. */
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Everything or nothing; resolves after the commit is durable. `shared` work commutes with other
   * shared work (sending, flags) and may run beside it; anything else runs alone among the writers.
   */
  write<T>(work: (tx: Transaction) => Promise<T>, options?: { shared?: boolean }): Promise<T>;
  /** Calls back when another process may have committed something, within a second. */
  onForeignCommit(listener: () => void): void;
}

export interface Transaction {
  organization: OrganizationStore;
  linkifiers: LinkifierStore;
  playgrounds: PlaygroundStore;
  users: UserStore;
  groups: GroupStore;
  channels: ChannelStore;
  subscriptions: SubscriptionStore;
  conversations: ConversationStore;
  messages: MessageStore;
  readState: ReadStateStore;
  flags: FlagStore;
  edits: EditStore;
  reactions: ReactionStore;
  customEmoji: CustomEmojiStore;
  events: EventStore;
  queues: QueueStore;
  outbox: OutboxStore;
}

// ---------------------------------------------------------------- organization

/** A group's id, or users and groups one by one (both sorted ascending). */
export type GroupSettingValue = number | { direct_members: number[]; direct_subgroups: number[] };

export interface Organization {
  /** Rises with every change of this record; caches compare it. */
  version: number;
  /** Rises with every change of any user; caches compare it. */
  users_version: number;
  name: string;
  description: string;
  /** Host for placeholder e-mail addresses. */
  host: string;
  created_ms: number;
  /** Root of every API key: 32 random bytes, hex. */
  secret: string;
  uuid: string;
  /** Only the settings that differ from their default; read through `rules/organization-settings.ts`. */
  settings: Record<string, unknown>;
  /** In the order in which they are tried. */
  linkifiers: readonly Linkifier[];
}

export type OrganizationFields = Omit<Organization, 'version' | 'users_version' | 'linkifiers'>;

/** Each rises with every change of what it counts, so that what was read before it rose can be told from the present. */
export interface Versions extends Pick<Organization, 'version' | 'users_version'> {
  /** Of channels (but for what their messages change), of who is subscribed, and of the names and places of topics. */
  places_version: number;
}

export interface OrganizationStore {
  /** Undefined until an organization has been created in this database. */
  get(): Promise<Organization | undefined>;
  /** What caches compare, without the rest. */
  versions(): Promise<Versions | undefined>;
  create(organization: OrganizationFields): Promise<void>;
  update(patch: Partial<Pick<Organization, 'name' | 'description' | 'settings'>>): Promise<void>;
}

/** Text of this form becomes a link. */
export interface Linkifier {
  id: number;
  /** RE2 syntax, groups named `(?P<id>…)`; unique. */
  pattern: string;
  /** RFC 6570, with the pattern's groups as variables. */
  url_template: string;
}

/** Part of the organization's record: every change raises its version. */
export interface LinkifierStore {
  /** In the order in which they are tried. */
  all(): Promise<Linkifier[]>;
  /** Tried after all others. */
  create(linkifier: Omit<Linkifier, 'id'>): Promise<number>;
  update(linkifier: Linkifier): Promise<void>;
  remove(id: number): Promise<void>;
  reorder(ids: readonly number[]): Promise<void>;
}

/** A site that runs code of a language. */
export interface Playground {
  id: number;
  /** Unique among those of the language. */
  name: string;
  pygments_language: string;
  /** RFC 6570, with the variable `code`. */
  url_template: string;
}

export interface PlaygroundStore {
  /** Ordered by id. */
  all(): Promise<Playground[]>;
  create(playground: Omit<Playground, 'id'>): Promise<number>;
  /** False when there was none. */
  remove(id: number): Promise<boolean>;
}

// ---------------------------------------------------------------- users

export type Role = 100 | 200 | 300 | 400 | 600;
/** Who may see the real address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators. */
export type EmailVisibility = 1 | 2 | 3 | 4 | 5;

export interface User {
  id: number;
  /** The real address, as given; unique without regard to case. */
  delivery_email: string;
  full_name: string;
  role: Role;
  is_active: boolean;
  /** null for people; 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
  bot_type: number | null;
  bot_owner_id: number | null;
  /** Notification bot and its like: belongs to the software, not to the organization. */
  is_system_bot: boolean;
  timezone: string;
  joined_ms: number;
  avatar_source: string;
  avatar_version: number;
  email_visibility: EmailVisibility;
  /** scrypt, or null: no password. */
  password_hash: string | null;
  /** Raised to invalidate every earlier API key. */
  key_generation: number;
  /** Personal settings that differ from their default. */
  settings: Record<string, unknown>;
  /** The organization's `users_version` when this record last changed. */
  version: number;
}

export type NewUser = Omit<User, 'id' | 'version'>;

export interface UserStore {
  byId(id: number): Promise<User | undefined>;
  /** Those that exist, ordered by id. */
  byIds(ids: readonly number[]): Promise<User[]>;
  /** By real address, without regard to case. */
  byEmail(email: string): Promise<User | undefined>;
  byEmails(emails: readonly string[]): Promise<User[]>;
  /** By full name, without regard to case; several may have the same. Ordered by id. */
  byNames(names: readonly string[]): Promise<User[]>;
  /** Changed after `version`, ordered by id; 0 gives all. System bots included. */
  changedSince(version: number): Promise<User[]>;
  create(user: NewUser): Promise<User>;
  update(id: number, patch: Partial<NewUser>): Promise<User>;
  /** Active people (no bots) with this role. */
  countActive(role: Role): Promise<number>;
  /** Bots of the owner, ordered by id. */
  botsOwnedBy(ownerId: number): Promise<User[]>;
  /** Ids of active accounts with one of the roles, system bots excluded. */
  activeIds(roles?: readonly Role[]): Promise<number[]>;
  /** Ids of deactivated accounts, which API answers filter from permission values. */
  inactiveIds(): Promise<number[]>;
}

// ---------------------------------------------------------------- groups

export interface Group {
  id: number;
  name: string;
  description: string;
  is_system_group: boolean;
  creator_id: number | null;
  created_ms: number | null;
  deactivated: boolean;
  /** Permission settings that differ from their default. */
  settings: Record<string, GroupSettingValue>;
  /** Direct members, sorted; empty for system groups, whose members follow from roles. */
  members: number[];
  direct_subgroup_ids: number[];
}

export interface GroupStore {
  /** Ordered by id, with members and subgroups. */
  all(): Promise<Group[]>;
  byIds(ids: readonly number[]): Promise<Group[]>;
  create(group: Omit<Group, 'id'>): Promise<number>;
  /** Every group the user belongs to through membership or nesting, given the role groups that follow from the user's role. */
  containing(userId: number, roleGroupIds: readonly number[]): Promise<number[]>;
}

// ---------------------------------------------------------------- channels

export interface Channel {
  id: number;
  name: string;
  description: string;
  rendered_description: string;
  creator_id: number | null;
  created_ms: number;
  invite_only: boolean;
  history_public_to_subscribers: boolean;
  is_web_public: boolean;
  is_archived: boolean;
  is_default: boolean;
  topics_policy: 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only';
  /** null: the organization's; -1: unlimited; else days. */
  message_retention_days: number | null;
  folder_id: number | null;
  /** Permission settings that differ from their default. */
  settings: Record<string, GroupSettingValue>;
  /** Active accounts, bots included. */
  subscriber_count: number;
  first_message_id: number | null;
  /** Day (since the epoch) of the newest message, kept to the day so that sending rarely writes it. */
  last_active_day: number | null;
}

export type NewChannel = Omit<Channel, 'id' | 'subscriber_count' | 'first_message_id' | 'last_active_day'>;

export interface ChannelFolder {
  id: number;
  name: string;
  description: string;
  rendered_description: string;
  creator_id: number | null;
  created_ms: number;
  order: number;
  is_archived: boolean;
}

export interface ChannelStore {
  byId(id: number): Promise<Channel | undefined>;
  /** With the user's own subscription: all a posting needs to know, in one statement. */
  withSubscription(
    id: number,
    userId: number,
  ): Promise<{ channel: ChannelHead; subscription: Subscription | undefined } | undefined>;
  byIds(ids: readonly number[]): Promise<Channel[]>;
  /** Names compare without regard to case; archived channels keep theirs. */
  byNames(names: readonly string[]): Promise<Channel[]>;
  /** Ordered by id, archived ones included. */
  all(): Promise<Channel[]>;
  /** Undefined when the name is taken. */
  create(channel: NewChannel): Promise<number | undefined>;
  /** False when the new name is taken. */
  update(
    id: number,
    patch: Partial<NewChannel & Pick<Channel, 'first_message_id' | 'last_active_day'>>,
  ): Promise<boolean>;
  /** The first message of a day; it may also be the first of all. */
  noteMessage(id: number, messageId: number, day: number): Promise<void>;
  folders(): Promise<ChannelFolder[]>;
  createFolder(folder: Omit<ChannelFolder, 'id' | 'order'>): Promise<number>;
}

/** A channel without the figure that must be counted. */
export type ChannelHead = Omit<Channel, 'subscriber_count'>;

export interface Subscription {
  user_id: number;
  channel_id: number;
  active: boolean;
  /** `#rrggbb`, lower case. */
  color: string;
  is_muted: boolean;
  pin_to_top: boolean;
  /** null: as the user's own setting says. */
  desktop_notifications: boolean | null;
  audible_notifications: boolean | null;
  push_notifications: boolean | null;
  email_notifications: boolean | null;
  wildcard_mentions_notify: boolean | null;
  /** Messages up to this id are older than the subscription and count as read. */
  floor: number;
}

export type SubscriptionProperties = Omit<Subscription, 'user_id' | 'channel_id' | 'active' | 'floor'>;

export interface SubscriptionStore {
  /** Active and, on request, former ones of a user, ordered by channel. */
  ofUser(userId: number, options?: { inactive?: boolean }): Promise<Subscription[]>;
  get(userId: number, channelId: number): Promise<Subscription | undefined>;
  /** Of the given users in the given channels, active or not. */
  pairs(userIds: readonly number[], channelIds: readonly number[]): Promise<Subscription[]>;
  /** Active accounts subscribed to each channel, sorted. */
  subscriberIds(channelIds: readonly number[]): Promise<Map<number, number[]>>;
  /** Of `userIds`, those whose subscription to the channel covered the log's place `seq`. */
  subscribersAt(channelId: number, seq: number, userIds: readonly number[]): Promise<number[]>;
  /** Starts subscriptions from the present on; an earlier one keeps its properties. Returns the pairs that are new. */
  add(
    pairs: readonly { user_id: number; channel_id: number; color: string }[],
  ): Promise<{ user_id: number; channel_id: number }[]>;
  /** Ends subscriptions; returns the pairs that were active. */
  remove(pairs: readonly { user_id: number; channel_id: number }[]): Promise<{ user_id: number; channel_id: number }[]>;
  update(userId: number, channelId: number, patch: Partial<SubscriptionProperties>): Promise<void>;
}

// ---------------------------------------------------------------- messages

/** A channel's topic, or a group of people in direct messages. */
export interface Conversation {
  id: number;
  channel_id: number | null;
  /** As first written; "" for direct messages. Compared without regard to case. */
  topic: string;
  /** Everybody taking part in a direct conversation, sorted; empty for topics. */
  participants: number[];
}

export interface ConversationStore {
  /** The topic's conversation, made if need be. */
  ensureTopic(channelId: number, topic: string): Promise<Conversation>;
  /** The direct conversation of exactly these people, made if need be. */
  ensureDirect(userIds: readonly number[]): Promise<Conversation>;
  topic(channelId: number, topic: string): Promise<Conversation | undefined>;
  direct(userIds: readonly number[]): Promise<Conversation | undefined>;
  byIds(ids: readonly number[]): Promise<Conversation[]>;
  /** Topics with messages after `afterMessageId`, newest first. */
  topicsOf(
    channelId: number,
    options: { receivedBy?: number; limit: number },
  ): Promise<{ name: string; max_id: number }[]>;
  /**
   * The newest message of each topic that has any; topics compare without regard to case. With a reader, the
   * newest that they received.
   */
  newestMessages(
    topics: readonly { channel_id: number; topic: string; receivedBy?: number }[],
  ): Promise<{ channel_id: number; topic: string; latest_message_id: number }[]>;
  /** Active accounts that wrote or reacted in it, sorted. */
  voices(id: number): Promise<number[]>;
  /** First and last message; undefined when there is none. */
  extent(id: number): Promise<{ first_id: number; first_timestamp: number; last_id: number } | undefined>;
  /**
   * Gives a whole topic another name or channel, at a cost that does not follow its length. No other
   * topic of that name may hold messages. Everybody keeps what they had not read, as `messages.move` has it.
   */
  rename(
    conversation: Conversation,
    to: { channel_id: number; topic: string },
    moved: { timestamp: number; up_to: number },
  ): Promise<void>;
  /** Direct conversations of a user, newest first. */
  directsOf(userId: number, limit: number): Promise<{ conversation: Conversation; max_message_id: number }[]>;
}

export interface Message {
  id: number;
  conversation_id: number;
  sender_id: number;
  /** Markdown. */
  content: string;
  /** HTML. */
  rendered_content: string;
  /** Seconds. */
  timestamp: number;
  client: string;
  is_me_message: boolean;
  /** The sender's own message counts as read from the start. */
  read_by_sender: boolean;
  last_edit_timestamp: number | null;
  last_moved_timestamp: number | null;
}

export type NewMessage = Omit<Message, 'id' | 'last_edit_timestamp' | 'last_moved_timestamp'>;

/** A message with the place it stands in. */
export interface PlacedMessage extends Message {
  channel_id: number | null;
  topic: string;
}

/** Which messages a list walks through: where the viewer may look, and what must hold of each message there. */
export interface Feed {
  viewer: number;
  /** All of these conversations, received or not; without them and without channels: whatever the viewer received. */
  conversations?: readonly number[];
  /** All topics of these channels, received or not. */
  channels?: readonly number[];
  /** Only messages the viewer received, for history that is not open to later subscribers. */
  receivedOnlyIn?: readonly number[];
  /** No messages of these channels, received or not. */
  hiddenIn?: readonly number[];
  /** Every one must hold. They leave messages out and never add any, negated ones neither. */
  terms?: readonly FeedTerm[];
}

export type FeedTerm = FeedTest & { readonly negated?: boolean };

export type FeedTest =
  | { readonly test: 'conversations'; readonly ids: readonly number[] }
  | { readonly test: 'channels'; readonly ids: readonly number[] }
  /** In whatever channel, without regard to case. */
  | { readonly test: 'topic'; readonly topic: string }
  | { readonly test: 'channel kind'; readonly kind: 'public' | 'web-public' | 'archived' }
  | { readonly test: 'direct' }
  /** In a topic marked as resolved; one the viewer follows; one they have muted, or its channel. */
  | { readonly test: 'resolved' }
  | { readonly test: 'followed' }
  | { readonly test: 'muted' }
  /** Direct messages among exactly these people. */
  | { readonly test: 'participants'; readonly ids: readonly number[] }
  /** Direct messages in which the user takes part, or only those of three and more. */
  | { readonly test: 'participant'; readonly id: number; readonly group: boolean }
  | { readonly test: 'ids'; readonly ids: readonly number[] }
  | { readonly test: 'sender'; readonly id: number }
  | { readonly test: 'unread' }
  /** One of the flags at least. */
  | { readonly test: 'flagged'; readonly flags: readonly MessageFlag[] }
  | { readonly test: 'has'; readonly feature: 'link' | 'image' | 'attachment' | 'reaction' }
  /** Each of the words in content or topic, in the form of `foldSearch`. */
  | { readonly test: 'words'; readonly words: readonly string[] };

export interface MessageStore {
  create(message: NewMessage): Promise<number>;
  byId(id: number): Promise<PlacedMessage | undefined>;
  /** Ordered by id. */
  byIds(ids: readonly number[]): Promise<PlacedMessage[]>;
  /** 0 when there is none. */
  maxId(): Promise<number>;
  /** Newest id the user received; 0 when there is none. */
  maxReceivedId(userId: number): Promise<number>;
  /** Ids of the feed nearest to `from` in one direction, `from` itself excluded; ascending. */
  walk(feed: Feed, from: number, direction: 'before' | 'after', limit: number): Promise<number[]>;
  /** Of the ids, those the user received, in channels by a subscription that covered them. */
  received(userId: number, ids: readonly number[]): Promise<number[]>;
  /**
   * Messages of channels that each of the users did not receive, ascending; users who received all are left
   * out. With a channel, as though the messages stood there.
   */
  notReceived(userIds: readonly number[], ids: readonly number[], channelId?: number): Promise<Map<number, number[]>>;
  /** Active accounts that were subscribed to the channel somewhere in a range of messages, and are not any more; sorted. */
  formerReceivers(channelId: number, range: { from_id: number; to_id: number }): Promise<number[]>;
  /** How many messages a conversation has, and how many since a time, seconds; the first of these. */
  countSince(
    conversationId: number,
    timestamp: number,
  ): Promise<{ total: number; recent: number; first_recent_id: number | null }>;
  edit(
    id: number,
    edit: Pick<Message, 'content' | 'rendered_content' | 'is_me_message'> & { timestamp: number },
  ): Promise<void>;
  /**
   * Puts messages of one topic into another. Subscribers of the new channel find unread what they had not
   * read, and everything else read; whoever is not subscribed there has nothing unread among them.
   */
  move(ids: readonly number[], from: Conversation, to: Conversation, timestamp: number): Promise<void>;
  /** Removes messages with their flags, reactions and edits. Here as in `move`, a topic left empty is forgotten by name. */
  remove(ids: readonly number[]): Promise<void>;
}

/** All messages of a topic, which are known to lie in a range of ids. */
export interface WholeTopic {
  conversation_id: number;
  from_id: number;
  to_id: number;
}

export type MessageFlag = 'starred' | 'collapsed' | 'mentioned' | 'wildcard_mentioned' | 'has_alert_word';

export interface ReadStateStore {
  /** Flags of each message for the user, `read` and `historical` derived. */
  flagsOf(userId: number, messageIds: readonly number[]): Promise<Map<number, string[]>>;
  /** Unread messages of the user, newest first. */
  unread(
    userId: number,
    limit: number,
  ): Promise<{ id: number; conversation_id: number; sender_id: number; mentioned: boolean }[]>;
  /** What each user has not read in a channel they are subscribed to, ascending; pairs without any are left out. */
  unreadInChannels(
    pairs: readonly { user_id: number; channel_id: number }[],
  ): Promise<{ user_id: number; channel_id: number; message_ids: number[] }[]>;
  /** Marks messages as read; returns those that were unread. */
  markRead(userId: number, messageIds: readonly number[]): Promise<number[]>;
  /** Marks messages as unread, in channels the user is subscribed to and their own conversations; returns those that were read. */
  markUnread(userId: number, messageIds: readonly number[]): Promise<number[]>;
  /** Marks a whole conversation as read up to a message. */
  markConversationRead(userId: number, conversationId: number, upTo: number): Promise<void>;
  /** Marks everything as read, or one channel, or one conversation; returns what was unread, ascending. */
  markAllRead(userId: number, within?: { channel_id?: number; conversation_id?: number }): Promise<number[]>;
  /** Marks everything in a conversation as read from one of its messages to another; returns what was unread, ascending. */
  markStretchRead(
    userId: number,
    stretch: { conversation_id: number; from_id: number; to_id: number },
  ): Promise<number[]>;
  /** Active accounts that received the message and have read it, sorted. */
  readersOf(messageId: number): Promise<number[]>;
}

// ---------------------------------------------------------------- flags

/** What is stored of a message for one user: what does not follow from what they have read. */
export interface FlagStore {
  /** Sets or clears a stored flag; returns the messages it changed on. */
  set(userId: number, messageIds: readonly number[], flag: MessageFlag, on: boolean): Promise<number[]>;
  /**
   * Sets a stored flag for those of the users, or for all, who received the message and can see it now:
   * subscribers of its channel, or everybody taking part. Returns whose message carries it, sorted.
   */
  setForReaders(messageId: number, userIds: readonly number[] | 'all', flag: MessageFlag): Promise<number[]>;
  /** Takes `mentioned` and `wildcard_mentioned` from everybody. */
  dropMentions(messageId: number): Promise<void>;
  /** Messages carrying the flag, ascending. */
  messagesWith(userId: number, flag: MessageFlag, limit: number): Promise<number[]>;
  /** Active accounts with a stored flag on one of the messages, sorted. */
  holders(messageIds: readonly number[]): Promise<number[]>;
  /**
   * The same for a whole topic, without the subscribers of its channel. Costs what the topic has of messages
   * where the range has many flags, and next to nothing where it has few.
   */
  outsiders(topic: WholeTopic): Promise<number[]>;
  /** Drops every flag of the users on messages of the conversation: on those given, or on all. */
  forget(userIds: readonly number[], conversationId: number, messageIds?: readonly number[]): Promise<void>;
}

// ---------------------------------------------------------------- edits

/** What one change did to a message, or to everything in a conversation. */
export interface Edit {
  id: number;
  /** null: a move of all messages of the conversation up to `up_to_message_id`. */
  message_id: number | null;
  conversation_id: number;
  /** Where the message stood before; the same when it did not change conversations. */
  prev_conversation_id: number;
  up_to_message_id: number | null;
  /** The move of a whole conversation that this row replaces for its message. */
  part_of: number | null;
  /** null: forgotten long ago. */
  editor_id: number | null;
  /** Seconds. */
  timestamp: number;
  /** null where the content did not change; likewise topics and channels below. */
  prev_content: string | null;
  prev_rendered_content: string | null;
  prev_topic: string | null;
  topic: string | null;
  prev_channel_id: number | null;
  channel_id: number | null;
}

export type NewEdit = Omit<Edit, 'id'>;

export interface EditStore {
  add(edit: NewEdit): Promise<number>;
  /** The same edit for each of the messages. */
  addForEach(messageIds: readonly number[], edit: Omit<NewEdit, 'message_id'>): Promise<void>;
  /**
   * Everything that changed each message, by itself or with its whole conversation, oldest first; messages without any are
   * left out. Former contents come only as far as these `characters`, all messages together, reach back.
   */
  ofMessages(
    messages: readonly Pick<Message, 'id' | 'conversation_id'>[],
    options?: { characters?: number },
  ): Promise<Map<number, Edit[]>>;
  /** Messages that a move of a whole conversation took along and that still exist, ascending. */
  messagesMoved(editId: number): Promise<number[]>;
}

// ---------------------------------------------------------------- reactions

export type ReactionType = 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji';

export interface Reaction {
  message_id: number;
  user_id: number;
  reaction_type: ReactionType;
  emoji_code: string;
  emoji_name: string;
}

export interface ReactionStore {
  add(reaction: Reaction): Promise<'added' | 'exists'>;
  /** False when there was none. */
  remove(reaction: Omit<Reaction, 'emoji_name'>): Promise<boolean>;
  /** In the order they were added. */
  of(messageIds: readonly number[]): Promise<Reaction[]>;
}

/** A picture of the organization's own that stands for a name. */
export interface CustomEmoji {
  id: number;
  name: string;
  author_id: number | null;
  /** Path below the site. */
  source_url: string;
  /** A still frame of an animation. */
  still_url: string | null;
  deactivated: boolean;
}

export interface CustomEmojiStore {
  /** Ordered by id, deactivated ones included. */
  all(): Promise<CustomEmoji[]>;
  byId(id: number): Promise<CustomEmoji | undefined>;
  /** The one in use under the name. */
  byName(name: string): Promise<CustomEmoji | undefined>;
  /** Undefined when the name is in use. */
  create(emoji: Omit<CustomEmoji, 'id' | 'deactivated'>): Promise<number | undefined>;
  deactivate(id: number): Promise<void>;
  count(): Promise<number>;
  /** `file_name` is the last part of an emoji's address. */
  addImage(image: EmojiImage): Promise<void>;
  image(fileName: string): Promise<EmojiImage | undefined>;
}

export interface EmojiImage {
  file_name: string;
  content_type: string;
  bytes: Uint8Array;
}

// ---------------------------------------------------------------- events

export interface EventStore {
  /** The newest place of the log; what is appended in this transaction comes after it. */
  tail(): Promise<number>;
  append(drafts: readonly EventDraft[], nowMs: number): Promise<LoggedEvent[]>;
  /** After `seq`, for this user, oldest first; with `allPublic` also messages of every public channel. */
  forUser(
    user: Pick<User, 'id' | 'role'>,
    afterSeq: number,
    limit: number,
    allPublic?: boolean,
  ): Promise<LoggedEvent[]>;
  /** After `seq`, for anybody, oldest first. */
  since(afterSeq: number, limit: number): Promise<LoggedEvent[]>;
  /** Drops what no queue needs any more; returns how many. */
  trim(beforeSeq: number, olderThanMs: number): Promise<number>;
}

export interface EventQueue {
  id: string;
  user_id: number;
  client: string;
  /** null: all types. */
  event_types: string[] | null;
  narrow: [operator: string, operand: string, negated?: boolean][];
  all_public_streams: boolean;
  /** apply_markdown, client_gravatar, slim_presence, include_subscribers, client_capabilities. */
  options: Record<string, unknown>;
  /** The log's place when the queue began; its event ids count from there. */
  start_seq: number;
  /** Everything up to here has been taken by the client. */
  acked_seq: number;
  last_used_ms: number;
  /** Idle seconds until it expires. */
  lifespan: number;
}

export interface QueueStore {
  create(queue: EventQueue): Promise<void>;
  byId(id: string): Promise<EventQueue | undefined>;
  /** False when there is none. */
  remove(id: string): Promise<boolean>;
  removeOfUser(userId: number): Promise<void>;
  touch(id: string, ackedSeq: number, nowMs: number): Promise<void>;
  /** Removes what has been idle for longer than its lifespan. */
  removeExpired(nowMs: number): Promise<string[]>;
  /** When the next queue expires, milliseconds; undefined when there is none. */
  nextExpiry(): Promise<number | undefined>;
  /** The oldest place any queue still needs; undefined without queues. */
  oldestNeeded(): Promise<number | undefined>;
}

// ---------------------------------------------------------------- outbox

/** A side effect that leaves the process, committed with the change that wants it. */
export interface OutboxItem {
  id: number;
  kind: string;
  payload: Record<string, unknown>;
  due_ms: number;
  attempts: number;
  last_error: string | null;
  created_ms: number;
}

export interface OutboxStore {
  add(items: readonly { kind: string; payload: Record<string, unknown>; due_ms: number }[]): Promise<void>;
  /** Claims items due, so that no other process takes them until `leaseUntilMs`. */
  claimDue(nowMs: number, leaseUntilMs: number, limit: number): Promise<OutboxItem[]>;
  done(id: number): Promise<void>;
  /** Tried in vain: due again later, or given up for good when `dueMs` is null. */
  failed(id: number, error: string, dueMs: number | null): Promise<void>;
  /** When the next item is due, milliseconds. */
  nextDue(): Promise<number | undefined>;
  /** Given up, newest first, with the reason. */
  givenUp(limit: number): Promise<OutboxItem[]>;
}
