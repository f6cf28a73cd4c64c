import { setImmediate as turn } from 'node:timers/promises';
import type { Session } from '../../../lib/chat/session.ts';
import { createChatStore } from '../../../lib/client/store/chat-store.ts';
import { type FeedTarget, type Initial, REGISTRATION } from '../../../lib/client/store/feed.ts';
import type { ChatStore, Me, Message, MessageList, Narrow } from '../../../lib/client/store/types.ts';

/** A store whose events the test delivers. */
export interface FedStore {
  readonly store: ChatStore;
  readonly lists: readonly MessageList[];
  /** Delivers the waiting events. False if the queue is gone. */
  deliver(): Promise<void>;
  close(): Promise<void>;
}

/** Registers a store, and opens lists with these narrows at their newest message. */
export async function feedStore(session: Session, narrows: readonly Narrow[]): Promise<FedStore> {
  const store = createChatStore(session, { storage: null });
  const target = store as unknown as FeedTarget;
  const initial = (await session.register(REGISTRATION)) as unknown as Initial;
  target.reset(initial, (await session.users.me()) as Me);
  const lists = narrows.map((narrow) => store.messages.open(narrow, 'newest'));
  await settled(lists);
  const place = { queue_id: initial.queue_id, last_event_id: initial.last_event_id };
  return {
    store,
    lists,
    async deliver() {
      const { events } = await session.events.list({ ...place, dont_block: true });
      place.last_event_id = events.at(-1)?.id ?? place.last_event_id;
      target.apply(events.filter((event) => event.type !== 'heartbeat'));
      await settled(lists);
    },
    async close() {
      for (const list of lists) list.close();
      await session.events.delete({ queue_id: place.queue_id });
      await store.stop();
    },
  };
}

/** Waits until no list fetches. */
export async function settled(lists: readonly MessageList[]): Promise<void> {
  do await turn();
  while (lists.some((list) => list.state.get().loading !== 'none'));
}

/** The visible content of a store, as plain data. */
export function snapshot(
  { store, lists }: Pick<FedStore, 'store' | 'lists'>,
  { hidesUsers = false }: { hidesUsers?: boolean } = {},
): Record<string, unknown> {
  const channels = [...store.channels.get().values()].filter((channel) => channel.is_subscribed);
  const unread = store.unread.get();
  const parts: Record<string, unknown> = {
    me: store.me.get(),
    organization: organizationOf(store),
    settings: store.settings.get(),
    mutedUsers: sorted(store.mutedUsers.get()),
    blockedUsers: sorted(store.blockedUsers.get()),
    customEmoji: [...store.emoji.custom.get()].sort(),
    channels: channels
      .map(({ is_recently_active: _, stream_weekly_traffic: _traffic, ...channel }) => channel)
      .sort((a, b) => a.stream_id - b.stream_id),
    conversations: store.conversations.get(),
    starred: sorted(store.starred.get()),
    unread: {
      ...unread,
      channels: [...unread.channels]
        .map(([id, { topics, ...counts }]) => ({ id, ...counts, topics: [...topics].sort() }))
        .sort((a, b) => a.id - b.id),
      conversations: [...unread.conversations].sort(),
    },
  };
  for (const { narrow, state } of lists) {
    // A list of a channel without a subscription receives no events.
    if ('channelId' in narrow && store.channels.get().get(narrow.channelId)?.is_subscribed !== true) continue;
    const { messages, hasNewest, error } = state.get();
    parts[`list ${JSON.stringify(narrow)}`] = {
      error,
      hasNewest,
      messages: messages.map((message) => plain(message, hidesUsers)),
    };
  }
  return parts;
}

/** The settings that events keep up to date. */
function organizationOf(store: ChatStore): object {
  const settings = Object.entries(store.organization.get() ?? {});
  return Object.fromEntries(settings.filter(([name]) => name.startsWith('realm_') && !NOT_KEPT.includes(name)));
}

/** Parts that events store elsewhere, or that only some roles receive. */
const NOT_KEPT = ['realm_emoji', 'realm_allow_edit_history', 'realm_max_invites', 'realm_welcome_message_custom_text'];

const sorted = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b);

/** For a message whose changes may not arrive, only its presence. */
function plain(
  { flags, reactions, isStale, sender_full_name, avatar_url, ...message }: Message,
  hidesUsers: boolean,
): object {
  if (isStale) return { id: message.id };
  const ofReaction = reactions.map(({ emoji_code, user_id }) => `${emoji_code} ${user_id}`);
  // Events do not say how a message shows a sender who becomes hidden.
  const sender = hidesUsers ? {} : { sender_full_name, avatar_url };
  return { ...message, ...sender, flags: [...flags].sort(), reactions: ofReaction.sort() };
}
