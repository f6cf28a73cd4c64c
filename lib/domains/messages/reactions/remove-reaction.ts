import * as v from 'valibot';
import { messageAudience } from '../../../access/message-audience.ts';
import { messageKnownTo } from '../../../access/messages.ts';
import { BadRequest, ReactionDoesNotExist } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, empty, id, text } from '../../../kernel/schemas.ts';
import { emojiNamed } from './reaction-emoji.ts';

export const removeReaction = defineOperation({
  name: 'messages.removeReaction',
  http: 'DELETE /messages/{message_id}/reactions',
  summary: 'Take back an emoji reaction to a message',
  source: 'reference 7.8',
  access: 'user',
  effect: 'append',
  params: v.object({
    message_id: id,
    emoji_name: v.optional(describe(text(100), 'Name of the emoji; this or emoji_code is needed.')),
    emoji_code: v.optional(describe(text(200), 'What identifies the emoji within its kind.')),
    reaction_type: v.optional(
      describe(text(60), 'unicode_emoji (assumed beside emoji_code), realm_emoji or zulip_extra_emoji.'),
    ),
  }),
  result: empty,
  errors: [BadRequest, ReactionDoesNotExist],
  async run(context, { message_id, emoji_name, emoji_code, reaction_type }) {
    const { tx, actor, emit } = context;
    const message = await messageKnownTo(context, actor, message_id, { modify: true });
    if (emoji_name === undefined && emoji_code === undefined) throw new BadRequest('Give emoji_name or emoji_code.');
    const own = (await tx.reactions.of([message.id])).filter((one) => one.user_id === actor.id);
    const found =
      emoji_code === undefined
        ? await reactionNamed(emoji_name as string)
        : own.find((one) => one.emoji_code === emoji_code && one.reaction_type === (reaction_type ?? 'unicode_emoji'));
    if (!found || !(await tx.reactions.remove(found))) throw new ReactionDoesNotExist();
    const { user_id, emoji_name: name, emoji_code: code, reaction_type: type } = found;
    emit({
      audience: await messageAudience(context, message),
      event: {
        type: 'reaction',
        op: 'remove',
        message_id: message.id,
        user_id,
        emoji_name: name,
        emoji_code: code,
        reaction_type: type,
      },
    });
    return {};

    /** By the name it carries, or by another name of the same emoji. */
    async function reactionNamed(name: string) {
      const fits = own.filter((one) => reaction_type === undefined || one.reaction_type === reaction_type);
      const same = fits.find((one) => one.emoji_name === name);
      if (same || fits.length === 0) return same;
      const emoji = await emojiNamed(context, name);
      return fits.find((one) => one.emoji_code === emoji?.emoji_code && one.reaction_type === emoji.reaction_type);
    }
  },
});
