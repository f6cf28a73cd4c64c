import type { Session } from '../../lib/index.ts';
import { emojiShown } from '../output/emoji.ts';
import { messageOf } from './reads.ts';
import type { Call, Telling } from './telling.ts';

/** The emoji as it stands on the message; only the message knows its character. */
export const tellReaction: Telling = ({ session, parameters }) => {
  return async () => `Reacted to message ${parameters.message_id} with ${await emojiOf(session, parameters)}.`;
};

export const tellReactionGone: Telling = async ({ session, parameters }) => {
  // Read before: afterwards it may stand on the message no more.
  const emoji = await emojiOf(session, parameters);
  return () => `Took back ${emoji} from message ${parameters.message_id}.`;
};

async function emojiOf(session: Session, { message_id, emoji_name }: Call['parameters']): Promise<string> {
  const reactions = (await messageOf(session, message_id))?.reactions ?? [];
  const { emojiNameOf } = await import('../../lib/index.ts');
  const name = String(emoji_name);
  // It may stand there under another of its names.
  const alike = emojiNameOf(name) ?? name;
  const found =
    reactions.find((reaction) => reaction.emoji_name === name) ??
    reactions.find(({ emoji_name: other }) => emojiNameOf(other) === alike);
  return found ? emojiShown(found) : `:${name}:`;
}
