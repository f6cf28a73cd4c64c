import type { TransactionContext } from '../../kernel/context.ts';
import type { EventDraft } from '../../kernel/event.ts';

/** Ids of the channels new users are subscribed to. */
export async function defaultChannelIds({ tx }: Pick<TransactionContext, 'tx'>): Promise<number[]> {
  const channels = await tx.channels.all();
  return channels.filter((channel) => channel.is_default && !channel.is_archived).map((channel) => channel.id);
}

export async function defaultChannelsEvent(scope: Pick<TransactionContext, 'tx'>): Promise<EventDraft> {
  return {
    audience: { scope: 'members' },
    event: { type: 'default_streams', default_streams: await defaultChannelIds(scope) },
  };
}
