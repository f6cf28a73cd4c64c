import { BadRequest } from '../errors.ts';
import type { EventDraft } from '../events/event.ts';
import type { AccountContext } from '../operation.ts';
import type { PlacedMessage } from '../storage/storage.ts';
import { messageDetails } from './message-details.ts';

export type FlagOp = 'add' | 'remove';
export type ChangeableFlag = 'read' | 'starred' | 'collapsed';

export function changeableFlag(flag: string): ChangeableFlag {
  if (flag === 'read' || flag === 'starred' || flag === 'collapsed') return flag;
  throw new BadRequest(`The flag "${flag}" cannot be changed; read, starred and collapsed can.`);
}

/** Sets or clears a flag of the caller's on messages they can read, and tells their clients what has changed. */
export async function changeFlags(
  context: AccountContext,
  readable: readonly PlacedMessage[],
  op: FlagOp,
  flag: ChangeableFlag,
): Promise<{ changed: number[]; ignored_because_not_subscribed_channels: number[] }> {
  const { tx, actor, emit } = context;
  const messages = readable.map((message) => message.id);
  if (messages.length === 0) return { changed: [], ignored_because_not_subscribed_channels: [] };
  if (flag !== 'read' || op === 'add') {
    const changed =
      flag === 'read'
        ? await tx.readState.markRead(actor.id, messages)
        : await tx.readState.setFlag(actor.id, messages, flag, op === 'add');
    if (changed.length > 0) emit(flagsEvent(actor.id, op, flag, changed));
    return { changed, ignored_because_not_subscribed_channels: [] };
  }
  // Unread messages of channels one is not subscribed to would never be seen again.
  const channelIds = [...new Set(readable.map((message) => message.channel_id).filter((one) => one !== null))];
  const own = channelIds.length > 0 ? await tx.subscriptions.pairs([actor.id], channelIds) : [];
  const subscribed = new Set(own.filter((one) => one.active).map((one) => one.channel_id));
  const kept = readable.filter((message) => message.channel_id === null || subscribed.has(message.channel_id));
  const changed = await tx.readState.markUnread(
    actor.id,
    kept.map((message) => message.id),
  );
  if (changed.length > 0) {
    const isChanged = new Set(changed);
    const details = await messageDetails(
      context,
      actor,
      kept.filter((message) => isChanged.has(message.id)),
    );
    emit(flagsEvent(actor.id, op, flag, changed, { message_details: details }));
  }
  return { changed, ignored_because_not_subscribed_channels: channelIds.filter((channel) => !subscribed.has(channel)) };
}

export function flagsEvent(
  userId: number,
  op: FlagOp,
  flag: string,
  messages: readonly number[],
  more: Record<string, unknown> = {},
): EventDraft {
  return {
    audience: { users: [userId] },
    event: { type: 'update_message_flags', op, operation: op, flag, messages, all: false, ...more },
  };
}
