import { allInOrder } from '../../base/lists.ts';
import type { Channel, ChannelHead } from '../../model/channels.ts';
import type { Transaction } from '../../storage/interface/storage.ts';
import { channelAudiences } from '../../viewer/audiences.ts';
import type { WriteContext } from '../../viewer/context.ts';
import { channelUpdated } from '../../views/shared-events.ts';

/** Flags, reactions, submessages and edits that are deleted with their messages per transaction. Other requests wait for it. */
const MAX_ATTACHED_ROWS = 10_000;

/** The last messages that can be deleted in one transaction: all, or some, but at least one message. */
export async function lastRemovable(tx: Transaction, ids: readonly number[]): Promise<readonly number[]> {
  let some = ids;
  while (some.length > 1 && (await tx.messages.countAttached(some, MAX_ATTACHED_ROWS + 1)) > MAX_ATTACHED_ROWS) {
    some = some.slice(-Math.floor(some.length / 2));
  }
  return some;
}

/** Deletes messages with all that depends on them. The caller reads the audience before, and sends the events. */
export async function removeMessages(context: WriteContext, ids: readonly number[]): Promise<void> {
  await allInOrder(context.services.consequences.deleting.map((react) => react(context, ids)));
  await context.tx.messages.remove(ids);
}

const DAY_MS = 86_400_000;

export interface FirstMessage {
  channel: ChannelHead;
  value: number | null;
}

export async function emitFirstMessages(context: WriteContext, changes: readonly FirstMessage[]): Promise<void> {
  if (changes.length === 0) return;
  const channels = changes.map(({ channel }) => channel);
  const audiences = await channelAudiences(context, channels);
  for (const { channel, value } of changes) {
    const { id: stream_id, name } = channel;
    const event = channelUpdated({ stream_id, name, property: 'first_message_id', value });
    context.emit(audiences.get(stream_id) ?? {}, event);
  }
}

/** Stores the day of the last message of channels. Only the first message of a day writes. Returns the first messages. */
export async function noteMessages(
  { tx, now, services, afterCommit }: WriteContext,
  messages: readonly { channel: ChannelHead; message_id: number }[],
): Promise<(FirstMessage & { value: number })[]> {
  const today = Math.floor(now / DAY_MS);
  const noted = messages
    .filter(({ channel }) => channel.last_active_day !== today || channel.first_message_id === null)
    .map(({ channel, message_id }) => ({ channel, channel_id: channel.id, message_id }));
  if (noted.length === 0) return [];
  const begun = new Set(await tx.channels.recordActivity(noted, today));
  afterCommit(() => {
    for (const { channel_id, message_id } of noted) services.channelCache.keepDay(channel_id, today, message_id);
  });
  return noted
    .filter(({ channel_id }) => begun.has(channel_id))
    .map(({ channel, message_id }) => ({ channel, value: message_id }));
}

export async function noteArrival(context: WriteContext, channel: Channel, firstId: number): Promise<void> {
  const { tx, now } = context;
  const first_message_id = Math.min(channel.first_message_id ?? firstId, firstId);
  const last_active_day = channel.last_active_day ?? Math.floor(now / DAY_MS);
  const isFirst = first_message_id !== channel.first_message_id;
  if (!isFirst && last_active_day === channel.last_active_day) return;
  await tx.channels.update(channel.id, { first_message_id, last_active_day });
  if (isFirst) await emitFirstMessages(context, [{ channel, value: first_message_id }]);
}

/** Call it after messages were removed from the channel. The first message may have been among them. */
export async function noteDeparture(context: WriteContext, channel: Channel, firstGone: number): Promise<void> {
  const { first_message_id } = channel;
  if (first_message_id === null || firstGone > first_message_id) return;
  const first = await context.tx.channels.findFirstMessage(channel.id);
  if (first !== first_message_id) await emitFirstMessages(context, [{ channel, value: first }]);
}
