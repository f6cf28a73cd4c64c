import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import { withdrawRead } from '../../push/notifications/withdrawal.ts';
import { flagsAdded, flagsRemoved, type MessageDetails } from './events.ts';

export type ChangeableFlag = 'read' | 'starred' | 'collapsed';

export function changeableFlag(flag: string): ChangeableFlag {
  if (flag === 'read' || flag === 'starred' || flag === 'collapsed') return flag;
  throw new BadRequest(`The flag "${flag}" cannot be changed. Use read, starred or collapsed.`);
}

/** Messages the caller can read. */
export interface Chosen {
  /** Ascending. */
  ids: readonly number[];
  /** The conversation of the messages, if they include all unread messages between first and last. */
  rangeOf?: number | undefined;
  messages(): Promise<readonly PlacedMessage[]>;
}

interface Changed {
  /** Messages whose flag changed. */
  changed: number[];
  ignored_because_not_subscribed_channels: number[];
}

/** Sets or clears a flag of the caller on messages they can read, and sends the changes to their clients. */
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
  const changed = await tx.flags.set(actor.id, chosen.ids, flag, op === 'add');
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

/** Details of messages that became unread, so that clients need not fetch them. */
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

/** Sends the read messages, if any, to the caller's clients, and withdraws their push notifications. */
export async function emitRead(context: AccountContext, messages: number[]): Promise<void> {
  emitFlags(context, 'add', 'read', messages);
  await withdrawRead(context, context.actor.id, messages);
}

/** Sends the changed messages, if any, to the caller's clients. */
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
