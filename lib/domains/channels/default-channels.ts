import type { ReadContext, WriteContext } from '../../kernel/context.ts';
import { defaultChannelsChanged } from './defaults/events.ts';

/** Ids of the channels new users are subscribed to. */
export async function defaultChannelIds({ tx }: Pick<ReadContext, 'tx'>): Promise<number[]> {
  const channels = await tx.channels.defaults();
  return channels.filter((channel) => !channel.is_archived).map((channel) => channel.id);
}

/** Tells all but guests which channels are default ones now. */
export async function emitDefaultChannels(context: Pick<WriteContext, 'tx' | 'emit'>): Promise<void> {
  const default_streams = await defaultChannelIds(context);
  context.emit({ scope: 'members' }, defaultChannelsChanged({ default_streams }));
}
