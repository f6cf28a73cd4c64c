import type { ReadContext } from '../../kernel/context.ts';
import { BadRequest } from '../../kernel/errors.ts';
import type { NewChannel } from '../../storage/interface/channels.ts';

/* Clients start with every channel and all that is said of it, so it is all of them together that must stay bearable. */

/** Archived ones among them. */
const MAX_CHANNELS = 20_000;
/** Of names, descriptions, as HTML too, and permissions; as much as ten thousand channels have with a good deal to say. */
const MAX_BYTES = 10_000_000;
/**
 * To be asked after a change, and before creating channels.
 * @throws BadRequest where the organization has too much, or would have with those that are planned
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
