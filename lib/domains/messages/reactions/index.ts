import { defineFeature } from '../../../kernel/feature.ts';
import { addReaction } from './add-reaction.ts';
import { reactionAdded, reactionRemoved } from './events.ts';
import { removeReaction } from './remove-reaction.ts';

/** Emoji reactions to messages: one of each emoji from each person. */
export const reactions = defineFeature({
  operations: [addReaction, removeReaction],
  events: [reactionAdded, reactionRemoved],
});
