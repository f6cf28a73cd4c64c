import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';

const fields = {
  message_id: v.number(),
  user_id: v.number(),
  emoji_name: v.string(),
  emoji_code: v.string(),
  reaction_type: v.picklist(['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji']),
};

export const reactionAdded = defineEvent('reaction/add', { summary: 'Somebody reacted to a message.', fields });

export const reactionRemoved = defineEvent('reaction/remove', { summary: 'A reaction was taken back.', fields });
