import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';
import { reactionType } from './reaction-emoji.ts';

const fields = {
  message_id: v.number(),
  user_id: describe(v.number(), 'Whose reaction it is.'),
  emoji_name: v.string(),
  emoji_code: describe(v.string(), 'What identifies the emoji within its kind.'),
  reaction_type: reactionType,
};

export const reactionAdded = defineEvent('reaction/add', { summary: 'Somebody reacted to a message.', fields });

export const reactionRemoved = defineEvent('reaction/remove', { summary: 'A reaction was taken back.', fields });
