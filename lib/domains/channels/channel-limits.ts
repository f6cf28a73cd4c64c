import type { ReadContext } from '../../kernel/context.ts';
import { BadRequest } from '../../kernel/errors.ts';
import type { NewChannel } from '../../storage/interface/channels.ts';

/* Every client loads all channels at start, so these limits apply to all channels of an organization together. */

/** Including archived channels. */
const MAX_CHANNELS = 20_000;
/** Names, descriptions (Markdown and HTML) and permissions. Enough for 10,000 channels with 1,000 bytes each. */
const MAX_BYTES = 10_000_000;
/**
 * Call it after a change, or before creating the `planned` channels.
 * @throws BadRequest if the organization exceeds a limit, including the planned channels
 */
export async function checkChannelLimits(
  { tx }: Pick<ReadContext, 'tx'>,
  planned: readonly NewChannel[] = [],
): Promise<void> {
  const there = await tx.channels.weight();
  const channels = there.channels + planned.length;
  const bytes = planned.reduce((sum, channel) => sum + weightOf(channel), there.bytes);
  if (channels > MAX_CHANNELS) {
    throw new BadRequest(`An organization can have at most ${MAX_CHANNELS} channels, including archived channels.`);
  }
  if (bytes > MAX_BYTES) {
    throw new BadRequest(
      `All channels together can have at most ${MAX_BYTES} bytes of names, descriptions (Markdown and HTML) and permissions. In permissions, use groups instead of single users.`,
    );
  }
}

function weightOf({ name, description, rendered_description, settings }: NewChannel): number {
  return Buffer.byteLength(name + description + rendered_description + JSON.stringify(settings));
}
