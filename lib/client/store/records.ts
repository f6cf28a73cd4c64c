import type { InitialState } from '../../chat/session.ts';

/** Where a message is: a topic of a channel, or a direct conversation. */
export type Place = TopicPlace | DirectPlace;

/** A topic of a channel. Topics are compared without case. */
export interface TopicPlace {
  /** ID of the channel. */
  readonly channelId: number;
  /** Name of the topic. Empty for the topic without a name. */
  readonly topic: string;
}

/** A direct conversation. */
export interface DirectPlace {
  /** The other participants in ascending order, without the own account. Empty for notes to oneself. */
  readonly userIds: readonly number[];
}

/** Whether the store is up to date. */
export interface Status {
  /**
   * - `starting`: no data yet
   * - `live`: up to date
   * - `behind`: connected again, and fetching what was missed
   * - `offline`: no connection; the data may be old
   * - `signed-out`: the server refuses the login. It tries again when the user comes to the page. With the error
   *   `ACCOUNT_CHANGED`, the login is that of another account: create a new session and store
   */
  readonly state: 'starting' | 'live' | 'behind' | 'offline' | 'signed-out';
  /** Why it is offline or signed out. */
  readonly error?: Error;
  /** Time of the next attempt, in milliseconds since the epoch. */
  readonly retryAt?: number;
}

/** The own account. */
export interface Me {
  /** ID of the account. */
  readonly user_id: number;
  /** Name. */
  readonly full_name: string;
  /** Address in the API: the real one or a placeholder. */
  readonly email: string;
  /** The real e-mail address. */
  readonly delivery_email: string | null;
  /** Address of the picture, relative to the server. Null for Gravatar. */
  readonly avatar_url: string | null;
  /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
  readonly role: number;
  /** Administrator or owner. */
  readonly is_admin: boolean;
  /** Owner. */
  readonly is_owner: boolean;
  /** Guest. */
  readonly is_guest: boolean;
  /** IANA name, or empty. */
  readonly timezone: string;
}

/** The settings of the organization and limits of the server, as in the response of `register`. */
export type Organization = InitialState<'realm' | 'realm_emoji'>;

/** The own settings, as in the response of `register`. */
export type OwnSettings = InitialState<'user_settings'>['user_settings'];

/** A subscription, as in the response of `register`. */
export type Subscription = InitialState<'subscription'>['subscriptions'][number];

/** A channel, with the own settings of it if the account is subscribed. */
export type Channel = Pick<
  Subscription,
  | 'stream_id'
  | 'name'
  | 'description'
  | 'rendered_description'
  | 'invite_only'
  | 'is_web_public'
  | 'history_public_to_subscribers'
  | 'is_archived'
  | 'topics_policy'
> &
  Partial<Subscription> & { readonly is_subscribed: boolean };

/** A user. `is_unknown` if the server does not show this user. */
export interface Person {
  /** ID of the account. */
  readonly user_id: number;
  /** Name. Empty if the user is unknown. */
  readonly full_name: string;
  /** Address in the API: the real one or a placeholder. */
  readonly email?: string;
  /** The real e-mail address, if the account may see it. */
  readonly delivery_email?: string | null;
  /** Address of the picture, relative to the server. Null for Gravatar. */
  readonly avatar_url?: string | null;
  /** A bot. */
  readonly is_bot?: boolean;
  /** False for a deactivated account. */
  readonly is_active?: boolean;
  /** Guest. */
  readonly is_guest?: boolean;
  /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
  readonly role?: number;
  /** IANA name, or empty. */
  readonly timezone?: string;
  /** The server does not show this user. */
  readonly is_unknown?: true;
}

/** A reaction of a user to a message. */
export interface Reaction {
  /** Name without colons. */
  readonly emoji_name: string;
  /** Code points in hexadecimal, or the ID of a custom emoji. */
  readonly emoji_code: string;
  /** Kind of emoji. */
  readonly reaction_type: 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji';
  /** Who reacted. */
  readonly user_id: number;
}

/** An emoji. Without code and type, the server looks up the name. */
export type EmojiRef = Pick<Reaction, 'emoji_name'> & Partial<Pick<Reaction, 'emoji_code' | 'reaction_type'>>;

/** A message. A change makes a new object. */
export interface Message {
  /** ID. Higher for newer messages. */
  readonly id: number;
  /** Where it is now. */
  readonly place: Place;
  /** ID of the sender. */
  readonly sender_id: number;
  /** Name of the sender. */
  readonly sender_full_name: string;
  /** Picture of the sender, relative to the server. Null for Gravatar. */
  readonly avatar_url: string | null;
  /** Seconds since the epoch, by the clock of the server. */
  readonly timestamp: number;
  /** HTML from the server. */
  readonly content: string;
  /** Begins with `/me`: the content continues the name of the sender. */
  readonly is_me_message: boolean;
  /** Reactions, oldest first. */
  readonly reactions: readonly Reaction[];
  /** Flags of the user: `read`, `starred`, `mentioned`, … */
  readonly flags: ReadonlySet<string>;
  /** When the content changed, in seconds since the epoch. */
  readonly last_edit_timestamp?: number;
  /** When it moved, in seconds since the epoch. */
  readonly last_moved_timestamp?: number;
  /** `content` with the matches of a search in `<span class="highlight">`. Only if a search has fetched the message. */
  readonly match_content?: string;
  /** Parts of polls and to-do lists. */
  readonly submessages: readonly unknown[];
  /** Its changes may be missing: the user is not subscribed to the channel, or the queue expired since the fetch. */
  readonly isStale: boolean;
}

/** A topic of a channel. */
export interface Topic {
  /** As spelled in the newest message. */
  readonly name: string;
  /** ID of the newest message. */
  readonly lastMessageId: number;
  /** Unread messages. */
  readonly unread: number;
  /** One of the unread messages mentions the user. */
  readonly hasMention: boolean;
  /** 0 none, 1 muted, 2 unmuted, 3 followed. */
  readonly visibilityPolicy: number;
}

/** A direct conversation. Its place is `{ userIds }`. */
export interface Conversation {
  /** The other participants in ascending order. Empty for notes to oneself. */
  readonly userIds: readonly number[];
  /** ID of the newest message. */
  readonly lastMessageId: number;
  /** Unread messages. */
  readonly unread: number;
}

/** Unread messages of a channel. */
export interface ChannelUnread {
  /** Unread messages in topics that are not muted. */
  readonly count: number;
  /** Unread messages in muted topics, or in a muted channel. */
  readonly muted: number;
  /** One of them mentions the user. */
  readonly hasMention: boolean;
  /** By topic name in lower case. */
  readonly topics: ReadonlyMap<string, TopicUnread>;
}

/** Unread messages of a topic. */
export interface TopicUnread {
  /** As spelled in the newest of the messages. */
  readonly name: string;
  /** Unread messages. */
  readonly count: number;
  /** ID of the newest of them. */
  readonly newest: number;
  /** One of them mentions the user. */
  readonly hasMention: boolean;
  /** By its own policy, or with the channel. */
  readonly isMuted: boolean;
}

/** Counts of unread messages. */
export interface UnreadCounts {
  /** What a badge shows: channels without muted topics and channels, and direct messages. */
  readonly total: number;
  /** Unread mentions, also in muted topics. */
  readonly mentions: number;
  /** Unread direct messages. */
  readonly direct: number;
  /** There are more, older unread messages than the server counted. */
  readonly isPartial: boolean;
  /** By channel ID. Channels without unread messages are missing. */
  readonly channels: ReadonlyMap<number, ChannelUnread>;
  /** By the user IDs of the others, joined by commas. */
  readonly conversations: ReadonlyMap<string, number>;
}

/** A message that the user has sent and the server has not confirmed by an event. */
export interface Outgoing {
  /** Identifies it until the server has given an ID. */
  readonly localId: string;
  /** Where it goes. */
  readonly place: Place;
  /** Markdown. */
  readonly content: string;
  /**
   * - `sending`: on its way
   * - `slow`: on its way for more than 5 seconds
   * - `unsure`: the connection broke; it may have arrived; `retry` never sends it twice
   * - `failed`: refused, `error` says why; without an error, it is too old for the store to send it again
   */
  readonly state: 'sending' | 'slow' | 'unsure' | 'failed';
  /** Why it failed or is unsure. After a reload, an `Error` with the same text. */
  readonly error?: Error;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
}

/** Whether a user is online. */
export type Presence = 'active' | 'idle' | 'offline' | 'unknown';

/** An emoji of the organization. */
export interface CustomEmoji {
  /** Name without colons. */
  readonly name: string;
  /** ID of the emoji, as in reactions. */
  readonly code: string;
  /** Address of the picture, relative to the server. */
  readonly url: string;
}

/** All emoji of the server, fetched with the first use. */
export interface EmojiTable {
  /** Code (`1f389`) to names, the first is the usual one. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Name to code. */
  readonly codes: ReadonlyMap<string, string>;
}
