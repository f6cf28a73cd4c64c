import * as v from 'valibot';
import { describe, text } from '../../../base/schemas.ts';
import { strictHtml } from '../../../markdown/html.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { renderable, renderContent, truncatable } from '../message-content.ts';
import { messageViewParams } from '../message-view.ts';

export const renderMessage = defineOperation({
  name: 'messages.render',
  http: 'POST /messages/render',
  summary: 'Render Markdown as HTML without sending a message',
  description: 'Stores nothing and notifies no user. Also renders mentions that you are not allowed to send.',
  example: { content: 'It **works**.' },
  access: 'user',
  forRooms: true,
  effect: 'read',
  params: {
    content: describe(text(200_000), 'Markdown, at most 10,000 characters.'),
    strict_content: messageViewParams.strict_content,
    ...truncatable,
  },
  result: v.object({ rendered: describe(v.string(), 'HTML.') }),
  async run(context, { content, strict_content, truncate }) {
    if (content.trim() === '') return { rendered: '' };
    const { html } = await renderContent(context, context.actor, renderable(content, { truncate }));
    return { rendered: strict_content ? strictHtml(html) : html };
  },
});
