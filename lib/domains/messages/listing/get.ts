import * as v from 'valibot';
import { describe, id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { messageObject, messageViewParams } from '../message-view.ts';
import { showMessages } from './show-messages.ts';

export const getMessage = defineOperation({
  name: 'messages.get',
  http: 'GET /messages/{message_id}',
  summary: 'Get a message by its ID',
  example: { message_id: 7 },
  access: 'user',
  forRooms: true,
  params: { message_id: id, ...messageViewParams },
  result: v.object({
    message: messageObject,
    raw_content: describe(v.string(), 'Content in Markdown. Deprecated: use apply_markdown=false.'),
  }),
  async run(context, { message_id, ...options }) {
    const message = await context.viewer.message(message_id);
    const [shown] = await showMessages(context, [message_id], options);
    if (!shown) throw new Error(`Message ${message_id} can be read: it must be shown.`);
    return { message: shown, raw_content: message.content };
  },
});
