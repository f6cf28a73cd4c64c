import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import type { EventDraft } from '../../../kernel/event.ts';

import type { PlacedMessage } from '../../../storage/storage.ts';
import { messageDetails } from './message-details.ts';

export type FlagOp = 'add' | 'remove';
export type ChangeableFlag = 'read' | 'starred' | 'collapsed';

export function changeableFlag(flag: string): ChangeableFlag {
  if (flag === 'read' || flag === 'starred' || flag === 'collapsed') return flag;
  throw new BadRequest(`The flag "${flag}" cannot be changed; read, starred and collapsed can.`);
}

/** Messages the caller can read. */
export interface Chosen {
  /** Ascending. */
  ids: readonly number[];
  /** The conversation they are messages of, if nothing unread between them is left out. */
  stretchOf?: number | undefined;
  messages(): Promise<readonly PlacedMessage[]>;
}

/** Sets or clears a flag of the caller's on messages they can read, and tells their clients what has changed. */
export async function changeFlags(
  context: AccountContext,
  chosen: Chosen,
  op: FlagOp,
  flag: ChangeableFlag,
): Promise<{ changed: number[]; ignored_because_not_subscribed_channels: number[] }> {
  const { tx, actor, emit } = context;
  if (chosen.ids.length === 0) return { changed: [], ignored_because_not_subscribed_channels: [] };
  if (flag !== 'read' || op === 'add') {
    const changed =
      flag === 'read' ? await markRead(context, chosen) : await tx.flags.set(actor.id, chosen.ids, flag, op === 'add');
    if (changed.length > 0) emit(flagsEvent(actor.id, op, flag, changed));
    return { changed, ignored_because_not_subscribed_channels: [] };
  }
  const readable = await chosen.messages();
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

function markRead({ tx, actor }: AccountContext, { ids, stretchOf }: Chosen): Promise<number[]> {
  if (stretchOf === undefined) return tx.readState.markRead(actor.id, ids);
  const stretch = { conversation_id: stretchOf, from_id: ids[0] as number, to_id: ids.at(-1) as number };
  return tx.readState.markStretchRead(actor.id, stretch);
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
