import { groupBy } from '../base/lists.ts';
import { present } from '../base/present.ts';
import type { Conversation } from '../storage/interface/conversations.ts';
import type { AccountContext } from '../viewer/context.ts';
import type { ImportOptions, OtherMessages } from './run.ts';
import type { ImportedMessage } from './source.ts';

const DAY_MS = 86_400_000;

interface StoredMessage {
  id: number;
  conversation: Conversation;
  message: Pick<ImportedMessage, 'timeMs'>;
}

/** Notes the activity of channels, and marks the messages as read. Returns what is unread now. */
export async function noteAndMarkRead(
  { tx }: AccountContext,
  all: readonly StoredMessage[],
  { unreadSince = Number.POSITIVE_INFINITY }: ImportOptions,
  before: OtherMessages,
): Promise<OtherMessages> {
  const days = new Map<number, Map<number, number>>();
  const inChannels = groupBy(all, ({ conversation }) => conversation.channel_id);
  for (const [channel, own] of inChannels) {
    if (channel === null) continue;
    const day = Math.floor(present(own.at(-1)).message.timeMs / DAY_MS);
    days.set(day, (days.get(day) ?? new Map()).set(channel, present(own[0]).id));
  }
  for (const [day, firsts] of days)
    await tx.channels.recordActivity(
      [...firsts].map(([channel_id, message_id]) => ({ channel_id, message_id })),
      day,
    );
  const channels = [...inChannels.keys()].filter((id) => id !== null);
  const newest = await newestOfOthers(tx, channels, present(all[0]).id, before);
  const read = all.filter(({ message }) => message.timeMs < unreadSince);
  const unread = all.filter(({ message }) => message.timeMs >= unreadSince);
  const last = read.at(-1);
  if (last) {
    const firstOf = new Map([...read].reverse().map(({ conversation, id }) => [conversation, id]));
    await tx.imports.markRead(
      channels.map((channel_id) => ({ channel_id, id: present(newest.get(channel_id)) })),
      [...firstOf].map(([{ id, channel_id }, from_id]) => ({ id, channel_id, from_id })),
      last.id,
    );
  }
  for (const { conversation, id } of unread) if (conversation.channel_id) newest.set(conversation.channel_id, id);
  return { reached: present(all.at(-1)).id, newest };
}

/** Users write while imports run, and between two of them. */
async function newestOfOthers(
  tx: AccountContext['tx'],
  channels: readonly number[],
  firstId: number,
  { reached, newest: before }: OtherMessages,
): Promise<Map<number, number>> {
  const added = channels.filter((id) => !before.has(id));
  const newest = new Map([...before, ...added.map((id) => [id, 0] as const)]);
  const earlier = await tx.imports.newestInChannels(added, firstId);
  const later = reached === undefined ? [] : await tx.imports.newestBetween(reached, firstId);
  for (const { channel_id, id } of [...earlier, ...later]) if (newest.has(channel_id)) newest.set(channel_id, id);
  return newest;
}
