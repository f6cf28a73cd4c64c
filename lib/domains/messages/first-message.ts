import { channelAudiences } from '../../access/channel-audience.ts';
import { channelUpdated } from '../../access/events.ts';
import type { WriteContext } from '../../kernel/context.ts';
import type { Channel, ChannelHead } from '../../storage/interface/channels.ts';

/** Sends the new `first_message_id` to all users who may know of the channel. */
export async function emitFirstMessage(
  context: WriteContext,
  channel: ChannelHead,
  value: number | null,
): Promise<void> {
  await emitFirstMessages(context, [{ channel, value }]);
}

/** The same for several channels. */
export async function emitFirstMessages(
  context: WriteContext,
  changes: readonly { channel: ChannelHead; value: number | null }[],
): Promise<void> {
  const audiences = await channelAudiences(
    context,
    changes.map(({ channel }) => channel),
  );
  for (const { channel, value } of changes) {
    const { id: stream_id, name } = channel;
    const event = channelUpdated({ stream_id, name, property: 'first_message_id', value });
    context.emit(audiences.get(stream_id) ?? {}, event);
  }
}

/** Call it after messages were removed from the channel. The first message may have been among them. */
export async function noteDeparture(context: WriteContext, channel: Channel, firstGone: number): Promise<void> {
  const { first_message_id } = channel;
  if (first_message_id === null || firstGone > first_message_id) return;
  const first = await context.tx.channels.findFirstMessage(channel.id);
  if (first !== first_message_id) await emitFirstMessage(context, channel, first);
}
