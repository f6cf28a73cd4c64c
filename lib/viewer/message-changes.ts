import type { Channel, ChannelHead } from '../model/channels.ts';
import type { GroupHead } from '../model/groups.ts';
import type { User } from '../model/users.ts';
import type { Conversation } from '../storage/interface/conversations.ts';
import type { MentionFlag } from '../storage/interface/flags.ts';
import type { PlacedMessage } from '../storage/interface/messages.ts';
import type { Upload } from '../storage/interface/uploads.ts';

export interface ChannelPlace {
  channel: ChannelHead;
  conversation: Conversation;
  /** The sender is not subscribed, so they do not receive their own message. */
  isFromOutside?: boolean;
  /** The topic has messages, and the sender has not muted the channel. Absent if unknown. */
  isUnderWay?: boolean;
}

export interface Mentions {
  users: readonly number[];
  groups: readonly GroupHead[];
  /** Mentions of all subscribers of the channel, and of all participants of the topic. */
  wildcards: { channel: boolean; topic: boolean };
}

export interface ChangedMessage {
  /** With the new content, where it is after a move. */
  message: PlacedMessage;
  mentions: Mentions;
  /** IDs of users who are mentioned by name or through a group. Some of them may not be able to see the message. */
  named: readonly number[];
  uploads: readonly Upload[];
  /** Addresses of linked pages whose previews the message shows. */
  previewed: readonly string[];
  /** Only for several messages together. Empty if no user has alert words, muted users or devices. */
  receivers: readonly number[] | undefined;
}

export interface SentMessage extends ChangedMessage {
  sender: User;
  /** Another user follows the topic. Only for one message, if a feature `looksForFollowers`. */
  isFollowed?: boolean;
  to: ChannelPlace | { participants: readonly User[]; conversation: Conversation };
}

/**
 * Which messages concern a feature. `with files`, `with links`: links to uploaded files, or to pages with previews.
 * `with names`: mentions users by name. `addressed`: does so, or is direct. `from outside`: the sender does not subscribe
 * to the channel.
 */
export type MessageKind = 'all' | 'with files' | 'with links' | 'with names' | 'addressed' | 'from outside';

export interface ReceivedFlag {
  message_id: number;
  flag: 'read' | MentionFlag | 'has_alert_word';
  users: readonly number[] | 'all';
  /** With `all`: users without the flag. */
  except?: readonly number[];
}

export interface MovedMessages {
  /** The message of the request. */
  message: PlacedMessage;
  /** The moved messages, ascending. Undefined for a whole topic. */
  ids: readonly number[] | undefined;
  mode: 'change_one' | 'change_later' | 'change_all';
  from: { conversation: Conversation; channel: Channel };
  /** `topic` is the name in the request. The conversation can have another spelling. */
  to: { conversation: Conversation; channel: Channel; topic: string };
  targetHadMessages: boolean;
  /** Number of moved messages. Undefined if the whole topic moved. */
  count: number | undefined;
  /** Where the notification bot announces the move. */
  isAnnounced: { inOldPlace: boolean; inNewPlace: boolean };
}
