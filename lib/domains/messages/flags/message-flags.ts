import * as v from 'valibot';
import type { AccountContext } from '../../../access/context.ts';
import { allInOrder } from '../../../base/all-in-order.ts';
import { BadRequest } from '../../../base/errors.ts';
import { describe } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import { withTopicsFor } from '../message-view.ts';

const added = v.object({
  operation: describe(v.picklist(['add', 'remove']), 'Same as `op`, for older clients.'),
  flag: describe(v.string(), '`read`, `starred` or `collapsed`.'),
  messages: describe(v.array(v.number()), 'Message IDs.'),
  all: describe(v.boolean(), 'Always false: `messages` is the complete list.'),
});

type Added = v.InferOutput<typeof added>;

export const flagsAdded = defineEvent('update_message_flags/add', {
  summary: 'One of your flags was set on messages.',
  fields: added.entries,
  lookUp: { movedMessages: 'messages' },
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
  forClient(event: v.InferOutput<typeof removed>, client) {
    const { message_details } = event;
    if (!message_details) return event;
    const shown = Object.entries(message_details).map(([id, details]) => [
      id,
      withTopicsFor(client, details, ['topic']),
    ]);
    return { ...event, message_details: Object.fromEntries(shown) };
  },
});

export type ChangeableFlag = 'read' | 'starred' | 'collapsed';

export function changeableFlag(flag: string): ChangeableFlag {
  if (flag === 'read' || flag === 'starred' || flag === 'collapsed') return flag;
  throw new BadRequest(`The flag "${flag}" cannot be changed. Use read, starred or collapsed.`);
}

/** Messages the caller can read. */
interface Chosen {
  /** Ascending. */
  ids: readonly number[];
  /** The conversation of the messages, if they include all unread messages between first and last. */
  rangeOf?: number | undefined;
  messages(): Promise<readonly PlacedMessage[]>;
}

interface Changed {
  changed: number[];
  ignored_because_not_subscribed_channels: number[];
}

export async function changeFlags(
  context: AccountContext,
  chosen: Chosen,
  op: 'add' | 'remove',
  flag: ChangeableFlag,
): Promise<Changed> {
  const { tx, actor } = context;
  if (chosen.ids.length === 0) return { changed: [], ignored_because_not_subscribed_channels: [] };
  if (flag === 'read' && op === 'remove') return markUnread(context, await chosen.messages());
  if (flag === 'read') {
    const changed = await markRead(context, chosen);
    await emitRead(context, changed);
    return { changed, ignored_because_not_subscribed_channels: [] };
  }
  const changed = await (op === 'add'
    ? tx.flags.set(actor.id, chosen.ids, flag)
    : tx.flags.clear(actor.id, chosen.ids, flag));
  emitFlags(context, op, flag, changed);
  return { changed, ignored_because_not_subscribed_channels: [] };
}

function markRead({ tx, actor }: AccountContext, { ids, rangeOf }: Chosen): Promise<number[]> {
  const [from_id, to_id] = [ids[0], ids.at(-1)];
  if (rangeOf === undefined || from_id === undefined || to_id === undefined)
    return tx.readState.markRead(actor.id, ids);
  return tx.readState.markRangeRead(actor.id, { conversation_id: rangeOf, from_id, to_id });
}

/** Skips channels the caller is not subscribed to, because clients would not show unread messages there. */
async function markUnread(context: AccountContext, messages: readonly PlacedMessage[]): Promise<Changed> {
  const { tx, actor } = context;
  const channelIds = [...new Set(messages.map((message) => message.channel_id).filter((id) => id !== null))];
  const own = channelIds.length > 0 ? await tx.subscriptions.pairs([actor.id], channelIds) : [];
  const subscribed = new Set(own.filter((subscription) => subscription.active).map(({ channel_id }) => channel_id));
  const kept = messages.filter(({ channel_id }) => channel_id === null || subscribed.has(channel_id));
  const changed = await tx.readState.markUnread(
    actor.id,
    kept.map((message) => message.id),
  );
  const isChanged = new Set(changed);
  const details = await messageDetails(
    context,
    kept.filter((message) => isChanged.has(message.id)),
  );
  emitFlags(context, 'remove', 'read', changed, { message_details: details });
  return { changed, ignored_because_not_subscribed_channels: channelIds.filter((channel) => !subscribed.has(channel)) };
}

async function messageDetails(
  { tx, actor }: AccountContext,
  messages: readonly PlacedMessage[],
): Promise<MessageDetails> {
  if (messages.length === 0) return {};
  const direct = messages.filter((message) => message.channel_id === null);
  const directIds = [...new Set(direct.map((message) => message.conversation_id))];
  const conversations = directIds.length > 0 ? await tx.conversations.byIds(directIds) : [];
  const participants = new Map(conversations.map((conversation) => [conversation.id, conversation.participants]));
  const flags = await tx.readState.flagsOf(
    actor.id,
    messages.map((message) => message.id),
  );
  const details: MessageDetails = {};
  for (const { id, channel_id, conversation_id, topic } of messages) {
    const own = flags.get(id) ?? [];
    const isMentioned = own.includes('mentioned') || own.includes('wildcard_mentioned');
    const user_ids = (participants.get(conversation_id) ?? []).filter((user) => user !== actor.id);
    details[id] = {
      ...(channel_id === null ? { type: 'private', user_ids } : { type: 'stream', stream_id: channel_id, topic }),
      ...(isMentioned ? { mentioned: true } : {}),
    };
  }
  return details;
}

export async function emitRead(context: AccountContext, messages: number[]): Promise<void> {
  const { actor, services } = context;
  emitFlags(context, 'add', 'read', messages);
  await allInOrder(services.consequences.map(({ read }) => read?.(context, actor.id, messages)));
}

function emitFlags(
  { actor, emit }: AccountContext,
  op: 'add' | 'remove',
  flag: ChangeableFlag,
  messages: number[],
  more: { message_details?: MessageDetails } = {},
): void {
  if (messages.length === 0) return;
  const fields = { operation: op, flag, messages, all: false, ...more };
  emit({ users: [actor.id] }, op === 'add' ? flagsAdded(fields) : flagsRemoved(fields));
}
