import type { Delivery } from '../../kernel/context.ts';
import type { ChannelHead } from '../../storage/interface/channels.ts';

/**
 * To clients that do not know archived channels, such a channel is not there: it disappears when it is
 * archived and comes back when it is brought back. This delivers what only they are told.
 */
export const ONLY_IF_HIDDEN: Delivery = { archivedChannels: false };

/** Delivers an event about this channel to the clients to whom it is there. */
export function onlyIfShown(channel: Pick<ChannelHead, 'is_archived'>): Delivery {
  return channel.is_archived ? { archivedChannels: true } : {};
}
