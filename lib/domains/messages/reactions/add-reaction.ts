import * as v from 'valibot';
import { messageAudience } from '../../../access/message-audience.ts';
import { messageKnownTo } from '../../../access/messages.ts';
import { BadRequest, ReactionAlreadyExists } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, empty, id, text } from '../../../kernel/schemas.ts';
import type { ReactionType } from '../../../storage/storage.ts';
import { checkEmoji, emojiNamed, isReactionType, type ReactionEmoji } from './reaction-emoji.ts';

export const addReaction = defineOperation({
  name: 'messages.addReaction',
  http: 'POST /messages/{message_id}/reactions',
  summary: 'Add an emoji reaction to a message',
  description:
    'With the code and kind of a reaction that is there already, it counts as a vote for that one, whatever its name is by now.',
  source: 'spec, add an emoji reaction; reference 6.16',
  access: 'user',
  effect: 'append',
  params: v.object({
    message_id: id,
    emoji_name: describe(text(100), 'Name without colons: tada.'),
    emoji_code: v.optional(
      describe(text(200), 'What identifies the emoji within its kind; found by the name when absent.'),
    ),
    reaction_type: v.optional(
      describe(text(60), 'unicode_emoji, realm_emoji or zulip_extra_emoji; found by the name when absent.'),
    ),
  }),
  result: empty,
  errors: [BadRequest, ReactionAlreadyExists],
  async run(context, { message_id, emoji_name, emoji_code, reaction_type }) {
    const { tx, actor, emit } = context;
    const message = await messageKnownTo(context, actor, message_id, { modify: true });
    let emoji: ReactionEmoji | undefined;
    if (emoji_code === undefined || reaction_type === undefined) {
      emoji = await emojiNamed(context, emoji_name);
      if (!emoji) throw new BadRequest(`There is no emoji named "${emoji_name}".`);
      emoji = {
        emoji_name,
        emoji_code: emoji_code ?? emoji.emoji_code,
        reaction_type: (reaction_type ?? emoji.reaction_type) as ReactionType,
      };
    } else emoji = { emoji_name, emoji_code, reaction_type: reaction_type as ReactionType };
    const { emoji_code: code, reaction_type: type } = emoji;
    if (!isReactionType(type)) throw new BadRequest(`"${type}" is not a kind of emoji.`);
    const alike = (await tx.reactions.of([message.id])).filter(
      (one) => one.emoji_code === code && one.reaction_type === type,
    );
    if (alike.some((one) => one.user_id === actor.id)) throw new ReactionAlreadyExists();
    // A vote keeps the name the reaction has, and is welcome even when the emoji is in use no more.
    if (alike[0]) emoji.emoji_name = alike[0].emoji_name;
    else await checkEmoji(context, emoji);
    const added = await tx.reactions.add({ message_id: message.id, user_id: actor.id, ...emoji });
    if (added === 'exists') throw new ReactionAlreadyExists();
    emit({
      audience: await messageAudience(context, message),
      event: { type: 'reaction', op: 'add', message_id: message.id, user_id: actor.id, ...emoji },
    });
    return {};
  },
});
