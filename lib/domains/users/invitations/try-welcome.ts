import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, text } from '../../../kernel/schemas.ts';
import { welcomeUser } from '../../messages/notification-bot.ts';
import { MAX_WELCOME_LENGTH } from './offer-params.ts';

export const tryWelcome = defineOperation({
  name: 'invites.tryWelcome',
  http: 'POST /realm/test_welcome_bot_custom_message',
  summary: 'Have a welcome sent to yourself, to see how whoever joins will see it',
  description: 'It is stored nowhere else.',
  example: { welcome_message_custom_text: 'Be **welcome**.' },
  access: 'administrator',
  effect: 'write',
  audited: false,
  params: v.object({
    welcome_message_custom_text: describe(text(MAX_WELCOME_LENGTH), 'What the welcome bot writes.'),
  }),
  result: v.object({ message_id: v.number() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  async run(context, { welcome_message_custom_text }) {
    const content = welcome_message_custom_text.trim();
    if (content === '') throw new BadRequest('A welcome must not be empty.');
    return { message_id: await welcomeUser(context, context.actor, content) };
  },
});
