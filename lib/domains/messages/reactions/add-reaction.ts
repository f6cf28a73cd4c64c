import { BadRequest, DirectMessageRefused, ReactionAlreadyExists } from '../../../base/errors.ts';
import { allInOrder } from '../../../base/lists.ts';
import { describe, forPrograms, id, nonEmptyText, optional, text } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { messageAudience } from '../../../viewer/audiences.ts';
import { checkMayReach } from '../blocking.ts';
import { checkEmoji, emojiGiven, reactionAdded, reactorOf } from './reaction.ts';

/**
 * Reactions per user and in total on a message, because every response with the message lists them. Concurrent requests
 * do not see each other's reactions, so they can exceed the limits slightly.
 */
const MAX_REACTIONS_PER_USER = 50;
const MAX_REACTIONS_PER_MESSAGE = 10_000;

export const addReaction = defineOperation({
  name: 'messages.addReaction',
  http: 'POST /messages/{message_id}/reactions',
  summary: 'Add an emoji reaction to a message',
  description:
    'If the message already has a reaction with this emoji code and type, your reaction uses the name of that reaction.',
  example: { message_id: 7, emoji_name: 'tada' },
  access: 'user',
  forRooms: true,
  effect: 'append',
  params: {
    message_id: id,
    emoji_name: describe(nonEmptyText(100), 'Emoji name without colons, for example `tada`.'),
    emoji_code: optional(
      forPrograms(text(200)),
      'ID of the emoji within its `reaction_type`. Default: looked up by name.',
    ),
    reaction_type: optional(
      forPrograms(text(60)),
      '`unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. Default: looked up by name.',
    ),
  },
  errors: [ReactionAlreadyExists, DirectMessageRefused],
  async run(context, { message_id, ...given }) {
    const { tx, actor, organization, emit, services } = context;
    const [message, emoji, present] = await allInOrder([
      context.viewer.message(message_id, 'modify'),
      emojiGiven(context, given),
      tx.reactions.of([message_id]),
    ]);
    const alike = present.filter(
      ({ emoji_code, reaction_type }) => emoji_code === emoji.emoji_code && reaction_type === emoji.reaction_type,
    );
    if (alike.some((reaction) => reaction.user_id === actor.id)) throw new ReactionAlreadyExists();
    if (present.filter((reaction) => reaction.user_id === actor.id).length >= MAX_REACTIONS_PER_USER)
      throw new BadRequest(
        `You already have ${MAX_REACTIONS_PER_USER} reactions on this message, the maximum per user.`,
      );
    if (present.length >= MAX_REACTIONS_PER_MESSAGE)
      throw new BadRequest(`This message already has ${MAX_REACTIONS_PER_MESSAGE} reactions, the maximum per message.`);
    // Users can add to an existing reaction even if its emoji is deactivated. It keeps its name.
    if (alike[0]) emoji.emoji_name = alike[0].emoji_name;
    else await checkEmoji(context, emoji);
    const [added, , , audience] = await allInOrder([
      tx.reactions.add({ message_id, user_id: actor.id, ...emoji }),
      // The user gets events for the message from now on, even without a subscription.
      message.channel_id !== null && tx.flags.follow(actor.id, message_id),
      allInOrder(services.consequences.reacted.map((react) => react(context, actor, message))),
      // Runs last, because it must see the rows that the others have written.
      messageAudience(context, message),
    ]);
    if (added === 'exists') throw new ReactionAlreadyExists();
    if (message.channel_id === null) await checkMayReach(context, actor, audience.users ?? []);
    const user = reactorOf(actor, organization);
    emit(audience, reactionAdded({ message_id, user_id: actor.id, user, ...emoji }));
  },
});
