import { defineFeature } from '../../../operation/feature.ts';
import { addReaction } from './add-reaction.ts';
import { reactionAdded, reactionRemoved } from './reaction.ts';
import { removeReaction } from './remove-reaction.ts';

/**
 * Emoji reactions to messages. A user can react once with each emoji. `reaction_type` and `emoji_code` identify an
 * emoji. All reactions with an emoji have the name that the first reaction used.
 */
export const reactions = defineFeature({
  operations: [addReaction, removeReaction],
  events: [reactionAdded, reactionRemoved],
});
