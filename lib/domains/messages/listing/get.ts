import * as v from 'valibot';
import { messageKnownTo } from '../../../access/messages.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, flag, id } from '../../../kernel/schemas.ts';
import { messageObject } from '../message-view.ts';
import { showMessages } from './show-messages.ts';

export const messageViewParams = {
  apply_markdown: v.optional(describe(flag, 'Content as HTML; false gives the Markdown.'), true),
  client_gravatar: v.optional(
    describe(flag, 'Let the client compute Gravatar addresses: `avatar_url` null for them.'),
    true,
  ),
  allow_empty_topic_name: v.optional(describe(flag, 'Show the empty topic as "", not by its display name.'), false),
};

export const getMessage = defineOperation({
  name: 'messages.get',
  http: 'GET /messages/{message_id}',
  summary: 'Get a message by its ID',
  source: 'reference 7.8',
  access: 'user',
  effect: 'read',
  params: v.object({ message_id: id, ...messageViewParams }),
  result: v.object({
    message: messageObject,
    raw_content: describe(v.string(), 'Markdown; deprecated, use apply_markdown=false.'),
  }),
  errors: [BadRequest],
  async run(context, { message_id, ...options }) {
    const message = await messageKnownTo(context, context.actor, message_id);
    const [shown] = await showMessages(context, context.actor, [message], options);
    return { message: shown as NonNullable<typeof shown>, raw_content: message.content };
  },
});
