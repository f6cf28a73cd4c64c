import * as v from 'valibot';
import { allInOrder } from '../../../base/lists.ts';
import { choice, describe, type ValuesOf } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { withTopicsFor } from '../message-view.ts';

const added = v.object({
  operation: describe(v.picklist(['add', 'remove']), 'Same as `op`, for older clients.'),
  flag: describe(v.string(), '`read`, `starred` or `collapsed`.'),
  messages: describe(v.array(v.number()), 'Message IDs.'),
  all: describe(v.boolean(), 'You marked all messages as read. Then `messages` is empty. Otherwise it is complete.'),
});

type Added = v.InferOutput<typeof added>;

export const flagsAdded = defineEvent('update_message_flags/add', {
  summary: 'One of your flags was set on messages.',
  fields: added.entries,
  inRooms: () => true,
  lookUp: { movedMessages: 'messages', messagesInRooms: 'messages' },
  // The list can be as long as a topic. Then it is not in the log but looked up.
  forClient({ messages = [], ...event }: Omit<Added, 'messages'> & Partial<Pick<Added, 'messages'>>) {
    return { ...event, messages };
  },
});

const messageDetailsObject = v.object({
  type: v.picklist(['stream', 'private']),
  mentioned: describe(v.optional(v.literal(true)), 'The message mentions you, directly or with a wildcard mention.'),
  stream_id: describe(v.optional(v.number()), 'For channel messages.'),
  topic: describe(v.optional(v.string()), 'For channel messages.'),
  unmuted_stream_msg: describe(v.optional(v.boolean()), 'For channel messages: neither muted channel nor muted topic.'),
  user_ids: describe(v.optional(v.array(v.number())), 'For direct messages: all participants except you.'),
});

type MessageDetails = Record<string, v.InferOutput<typeof messageDetailsObject>>;

const removed = v.object({
  ...added.entries,
  message_details: describe(
    v.optional(v.record(v.string(), messageDetailsObject)),
    'Messages that became unread, by ID, so that clients need not fetch them.',
  ),
});

export const flagsRemoved = defineEvent('update_message_flags/remove', {
  summary: 'One of your flags was cleared on messages.',
  fields: removed.entries,
  inRooms: () => true,
  lookUp: { messagesInRooms: 'messages' },
  forClient(event: v.InferOutput<typeof removed>, client) {
    const { message_details, messages } = event;
    if (!message_details) return event;
    const listed = new Set(messages.map(String));
    const details = Object.entries(message_details).filter(([id]) => listed.has(id));
    const shown = details.map(([id, details]) => [id, withTopicsFor(client, details, ['topic'])]);
    return { ...event, message_details: Object.fromEntries(shown) };
  },
});

export const flagChangeParams = {
  op: choice(['add', 'remove']),
  flag: choice(['read', 'starred', 'collapsed']),
};

type FlagChange = ValuesOf<typeof flagChangeParams>;

/** Messages the caller can read. */
interface Chosen {
  /** Ascending. */
  ids: readonly number[];
  /** The conversation of the messages, if they include all unread messages between first and last. */
  rangeOf?: number | undefined;
}

export async function changeFlags(context: AccountContext, { ids, rangeOf }: Chosen, { op, flag }: FlagChange) {
  const { tx, actor } = context;
  const [from_id, to_id] = [ids[0], ids.at(-1)];
  if (from_id === undefined || to_id === undefined) return { changed: [], ignored_because_not_subscribed_channels: [] };
  if (flag === 'read' && op === 'remove') return markUnread(context, ids);
  let changed: number[];
  if (flag === 'read') {
    changed = await (rangeOf === undefined
      ? tx.readState.markRead(actor.id, ids)
      : tx.readState.markRangeRead(actor.id, { conversation_id: rangeOf, from_id, to_id }));
    await emitRead(context, changed);
  } else {
    changed = await (op === 'add' ? tx.flags.set(actor.id, ids, flag) : tx.flags.clear(actor.id, ids, flag));
    emitFlags(context, { op, flag }, changed);
  }
  return { changed, ignored_because_not_subscribed_channels: [] };
}

/** Skips channels the caller is not subscribed to, because clients would not show unread messages there. */
async function markUnread(context: AccountContext, ids: readonly number[]) {
  const { tx, actor } = context;
  const messages = await tx.messages.byIds(ids);
  const channelIds = [...new Set(messages.map((message) => message.channel_id).filter((id) => id !== null))];
  const own = channelIds.length > 0 ? await tx.subscriptions.pairs([actor.id], channelIds) : [];
  const subscribed = new Set(own.filter((subscription) => subscription.active).map(({ channel_id }) => channel_id));
  const kept = messages.filter(({ channel_id }) => channel_id === null || subscribed.has(channel_id));
  const keptIds = kept.map((message) => message.id);
  const changed = await tx.readState.markUnread(actor.id, keptIds);
  const isChanged = new Set(changed);
  const unread = kept.filter((message) => isChanged.has(message.id));
  const message_details = await messageDetails(context, unread);
  emitFlags(context, { op: 'remove', flag: 'read' }, changed, { message_details });
  return { changed, ignored_because_not_subscribed_channels: channelIds.filter((channel) => !subscribed.has(channel)) };
}

async function messageDetails({ tx, actor }: AccountContext, messages: readonly PlacedMessage[]) {
  if (messages.length === 0) return {};
  const direct = messages.filter((message) => message.channel_id === null);
  const directIds = [...new Set(direct.map((message) => message.conversation_id))];
  const conversations = directIds.length > 0 ? await tx.conversations.byIds(directIds) : [];
  const participants = new Map(conversations.map((conversation) => [conversation.id, conversation.participants]));
  const ids = messages.map((message) => message.id);
  const terms = [{ test: 'ids', ids } as const, { test: 'muted', topicsOnly: false } as const];
  const [flags, muted] = await Promise.all([
    tx.readState.flagsOf(actor.id, ids),
    tx.messages.fetchIds({ viewer: actor.id, terms }, 0, 'after', ids.length),
  ]);
  const mutedIds = new Set(muted);
  const details: MessageDetails = {};
  for (const { id, channel_id, conversation_id, topic } of messages) {
    const own = flags.get(id) ?? [];
    const isMentioned = own.includes('mentioned') || own.includes('wildcard_mentioned');
    const user_ids = (participants.get(conversation_id) ?? []).filter((user) => user !== actor.id);
    details[id] = {
      ...(channel_id === null
        ? { type: 'private', user_ids }
        : { type: 'stream', stream_id: channel_id, topic, unmuted_stream_msg: !mutedIds.has(id) }),
      ...(isMentioned ? { mentioned: true } : {}),
    };
  }
  return details;
}

/** @param options `isAll`: no other message is unread, so the event needs no list */
export async function emitRead(context: AccountContext, messages: number[], { isAll = false } = {}): Promise<void> {
  const { actor, services } = context;
  emitFlags(context, { op: 'add', flag: 'read' }, messages, isAll ? { messages: [], all: true } : {});
  await allInOrder(services.consequences.read.map((react) => react(context, actor.id, messages)));
}

function emitFlags(
  { actor, emit }: AccountContext,
  { op, flag }: FlagChange,
  messages: number[],
  more: { message_details?: MessageDetails; messages?: number[]; all?: boolean } = {},
): void {
  if (messages.length === 0) return;
  const fields = { operation: op, flag, messages, all: false, ...more };
  emit({ users: [actor.id] }, op === 'add' ? flagsAdded(fields) : flagsRemoved(fields));
}
