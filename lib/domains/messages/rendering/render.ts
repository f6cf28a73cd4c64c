import * as v from 'valibot';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, text } from '../../../kernel/schemas.ts';
import { renderable, renderContent } from '../message-content.ts';

export const renderMessageOperation = defineOperation({
  name: 'messages.render',
  http: 'POST /messages/render',
  summary: 'Render Markdown as a message of yours would show it',
  description: 'Nothing is stored and nobody is notified; mentions you may not make are rendered too.',
  example: { content: 'It **works**.' },
  access: 'user',
  effect: 'read',
  params: v.object({ content: describe(text(200_000), 'Markdown; cut to 10000 characters.') }),
  result: v.object({ rendered: describe(v.string(), 'HTML.') }),
  errors: [BadRequest],
  async run(context, { content }) {
    if (content.trim() === '') return { rendered: '' };
    const { html } = await renderContent(context, context.actor, renderable(content));
    return { rendered: html };
  },
});
