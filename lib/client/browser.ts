/**
 * `parlance-chat/client` for browsers: a session over `fetch`, without Node modules and without schemas. Only the server
 * checks parameters.
 */
export { ChatError, type ErrorCode, isChatError, RateLimitHit } from '../base/errors.ts';
export type {
  CallOptions,
  ConnectionState,
  EventTransport,
  RegisterOptions,
  UploadOptions,
} from '../chat/call-options.ts';
export type { ChatEvent, EventType, ListenOptions, QueuedEvent, Session } from '../chat/session.ts';
export { Unreachable } from './answer.ts';
export { connect } from './browser-session.ts';
export type { ConnectOptions } from './client.ts';
export { createChatStore } from './store/chat-store.ts';
export { suggest } from './store/suggest.ts';
export type {
  Activity,
  Cell,
  Channel,
  Channels,
  ChannelUnread,
  ChatStore,
  ChatStoreOptions,
  Conversation,
  CustomEmoji,
  DirectPlace,
  Draft,
  DraftStorage,
  EmojiRef,
  EmojiTable,
  Me,
  Message,
  MessageList,
  MessageListState,
  Messages,
  Narrow,
  Organization,
  Outbox,
  Outgoing,
  OwnSettings,
  People,
  Person,
  Place,
  Presence,
  Reaction,
  Status,
  Subscription,
  Suggestion,
  Topic,
  TopicPlace,
  TopicUnread,
  UnreadCounts,
  Warning,
} from './store/types.ts';
