import { defineFeature } from '../../../kernel/feature.ts';
import { addReaction } from './add-reaction.ts';
import { reactionAdded, reactionRemoved } from './events.ts';
import { removeReaction } from './remove-reaction.ts';

/**
 * Emoji reactions to messages: one of each emoji from each person. An emoji is identified by its kind and
 * code; the name is the one that the first reaction was given.
 */
export const reactions = defineFeature({
  operations: [addReaction, removeReaction],
  events: [reactionAdded, reactionRemoved],
});
