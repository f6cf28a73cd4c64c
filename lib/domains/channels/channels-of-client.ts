import { knownChannels } from '../../access/channels.ts';
import type { Snapshot } from '../../kernel/context.ts';

/** The channels that the caller may know of and the client understands, with the caller's subscription to each. */
export async function channelsOf({ context, options }: Snapshot) {
  const channels = await context.tx.channels.all();
  const kept = channels.filter((channel) => !channel.is_archived || options.client_capabilities.archived_channels);
  return (await knownChannels(context, context.actor, kept)).known;
}
