import * as v from 'valibot';
import { accessMessage, messageAudience } from '../../../access/messages.ts';
import { allInOrder } from '../../../base/all-in-order.ts';
import { BadRequest, ReactionDoesNotExist } from '../../../base/errors.ts';
import { id, optional, text } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import type { Reaction } from '../../../storage/interface/emoji.ts';
import { canonicalCode, emojiNamed, reactionRemoved, reactorOf } from './reaction.ts';

export const removeReaction = defineOperation({
  name: 'messages.removeReaction',
  http: 'DELETE /messages/{message_id}/reactions',
  summary: 'Remove your emoji reaction from a message',
  example: { message_id: 7, emoji_name: 'tada' },
  access: 'user',
  effect: 'append',
  params: v.object({
    message_id: id,
    emoji_name: optional(text(100), 'Emoji name. Set this or `emoji_code`.'),
    emoji_code: optional(text(200), 'ID of the emoji within its `reaction_type`.'),
    reaction_type: optional(
      text(60),
      '`unicode_emoji` (default with `emoji_code`), `realm_emoji` or `zulip_extra_emoji`.',
    ),
  }),
  errors: [ReactionDoesNotExist],
  async run(context, { message_id, emoji_name, emoji_code, reaction_type }) {
    const { tx, actor, organization, emit } = context;
    const [message, present] = await allInOrder([
      accessMessage(context, message_id, { toModify: true }),
      tx.reactions.of([message_id]),
    ]);
    if (emoji_name === undefined && emoji_code === undefined) throw new BadRequest('Set emoji_name or emoji_code.');
    const own = present.filter((reaction) => reaction.user_id === actor.id);
    const isOf = (kind: string, code: string) => (reaction: Reaction) =>
      reaction.reaction_type === kind && reaction.emoji_code === code;
    const kind = reaction_type ?? 'unicode_emoji';
    const found =
      emoji_code === undefined
        ? await reactionNamed(emoji_name ?? '')
        : own.find(isOf(kind, canonicalCode(kind, emoji_code)));
    if (!found) throw new ReactionDoesNotExist();
    const [isRemoved, audience] = await Promise.all([tx.reactions.remove(found), messageAudience(context, message)]);
    if (!isRemoved) throw new ReactionDoesNotExist();
    emit(audience, reactionRemoved({ ...found, user: reactorOf(actor, organization) }));
    return;

    /** Finds the reaction by its name, or by another name of the same emoji. */
    async function reactionNamed(name: string): Promise<Reaction | undefined> {
      const ofKind = own.filter((reaction) => reaction_type === undefined || reaction.reaction_type === reaction_type);
      const same = ofKind.find((reaction) => reaction.emoji_name === name);
      if (same || ofKind.length === 0) return same;
      const emoji = await emojiNamed(context, name);
      return emoji && ofKind.find(isOf(emoji.reaction_type, emoji.emoji_code));
    }
  },
});
