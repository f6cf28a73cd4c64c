import * as v from 'valibot';
import { defineEvent } from '../../events/define-event.ts';
import type { ReadContext, WriteContext } from '../../viewer/context.ts';

export const defaultChannelsChanged = defineEvent('default_streams', {
  summary: 'The default channels for new users changed. Contains the complete list.',
  fields: { default_streams: v.array(v.number()) },
});

export async function defaultChannelIds({ tx }: Pick<ReadContext, 'tx'>): Promise<number[]> {
  const channels = await tx.channels.defaults();
  return channels.filter((channel) => !channel.is_archived).map((channel) => channel.id);
}

export async function emitDefaultChannels(context: Pick<WriteContext, 'tx' | 'emit'>): Promise<void> {
  const default_streams = await defaultChannelIds(context);
  context.emit({ scope: 'members' }, defaultChannelsChanged({ default_streams }));
}
