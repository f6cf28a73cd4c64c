import type { Delivery } from '../../kernel/context.ts';
import type { ChannelHead } from '../../storage/interface/channels.ts';

/**
 * Clients without the capability `archived_channels` see archiving as deletion, and unarchiving as creation. This
 * delivers events for these clients only.
 */
export const ONLY_IF_HIDDEN: Delivery = { archivedChannels: false };

/** Delivers events about an archived channel only to clients with the capability `archived_channels`. */
export function onlyIfShown(channel: Pick<ChannelHead, 'is_archived'>): Delivery {
  return channel.is_archived ? { archivedChannels: true } : {};
}
