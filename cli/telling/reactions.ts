import { emojiShown } from '../output/emoji.ts';
import { messageOf } from './reads.ts';
import type { Telling } from './telling.ts';

/** The emoji as it stands on the message; only the message knows its character. */
export const tellReaction: Telling = ({ session, parameters }) => {
  return async () => `Reacted to message ${parameters.message_id} with ${await emojiOf(session, parameters)}.`;
};

export const tellReactionGone: Telling = async ({ session, parameters }) => {
  // Read before: afterwards it may stand on the message no more.
  const emoji = await emojiOf(session, parameters);
  return () => `Took back ${emoji} from message ${parameters.message_id}.`;
};

async function emojiOf(
  session: Parameters<typeof messageOf>[0],
  { message_id, emoji_name }: Readonly<Record<string, unknown>>,
): Promise<string> {
  const reactions = (await messageOf(session, message_id))?.reactions ?? [];
  const found = reactions.find((reaction) => reaction.emoji_name === emoji_name);
  return found ? emojiShown(found) : `:${emoji_name}:`;
}
