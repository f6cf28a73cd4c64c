import { BadRequest, ReactionDoesNotExist } from '../../../base/errors.ts';
import { allInOrder } from '../../../base/lists.ts';
import { forPrograms, id, nonEmptyText, optional, text } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import type { Reaction } from '../../../storage/interface/messages.ts';
import { messageAudience } from '../../../viewer/audiences.ts';
import { canonicalCode, emojiNamed, reactionRemoved, reactorOf } from './reaction.ts';

export const removeReaction = defineOperation({
  name: 'messages.removeReaction',
  http: 'DELETE /messages/{message_id}/reactions',
  summary: 'Remove your emoji reaction from a message',
  example: { message_id: 7, emoji_name: 'tada' },
  access: 'user',
  forRooms: true,
  effect: 'append',
  params: {
    message_id: id,
    emoji_name: optional(nonEmptyText(100), 'Emoji name. Set this or `emoji_code`.'),
    emoji_code: optional(forPrograms(text(200)), 'ID of the emoji within its `reaction_type`.'),
    reaction_type: optional(
      forPrograms(text(60)),
      '`unicode_emoji` (default with `emoji_code`), `realm_emoji` or `zulip_extra_emoji`.',
    ),
  },
  errors: [ReactionDoesNotExist],
  async run(context, { message_id, emoji_name, emoji_code, reaction_type }) {
    const { tx, actor, organization, emit } = context;
    const [message, present] = await allInOrder([
      context.viewer.message(message_id, 'modify'),
      tx.reactions.of([message_id]),
    ]);
    if (emoji_name === undefined && emoji_code === undefined) throw new BadRequest('Set emoji_name or emoji_code.');
    const type = reaction_type ?? (emoji_code === undefined ? undefined : 'unicode_emoji');
    const own = present.filter((one) => one.user_id === actor.id && (type === undefined || one.reaction_type === type));
    let found =
      emoji_code === undefined
        ? own.find((reaction) => reaction.emoji_name === emoji_name)
        : own.find((reaction) => reaction.emoji_code === canonicalCode(reaction.reaction_type, emoji_code));
    if (!found && emoji_name !== undefined && emoji_code === undefined) {
      // Perhaps it is another name of the emoji.
      const emoji = await emojiNamed(context, emoji_name);
      if (!emoji) throw new BadRequest(`There is no emoji named "${emoji_name}".`);
      const isSame = (one: Reaction) =>
        one.reaction_type === emoji.reaction_type && one.emoji_code === emoji.emoji_code;
      found = own.find(isSame);
    }
    if (!found) throw new ReactionDoesNotExist();
    const [isRemoved, audience] = await Promise.all([tx.reactions.remove(found), messageAudience(context, message)]);
    if (!isRemoved) throw new ReactionDoesNotExist();
    emit(audience, reactionRemoved({ ...found, user: reactorOf(actor, organization) }));
  },
});
