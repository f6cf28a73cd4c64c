import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { describe, nonEmptyText } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { welcomeUser } from '../../messages/notification-bot.ts';
import { MAX_WELCOME_LENGTH } from './offer.ts';

export const tryWelcome = defineOperation({
  name: 'invites.tryWelcome',
  http: 'POST /realm/test_welcome_bot_custom_message',
  summary: 'Send yourself a welcome message to preview it',
  description: 'Does not change the setting welcome_message_custom_text.',
  example: { welcome_message_custom_text: 'Be **welcome**.' },
  access: 'administrator',
  effect: 'write',
  audited: false,
  params: {
    welcome_message_custom_text: describe(
      nonEmptyText(MAX_WELCOME_LENGTH),
      'Text of the message from the welcome bot.',
    ),
  },
  result: v.object({ message_id: v.number() }),
  async run(context, { welcome_message_custom_text }) {
    const content = welcome_message_custom_text.trim();
    if (content === '') throw new BadRequest('The welcome message must not be empty.');
    return { message_id: await welcomeUser(context, context.actor, content) };
  },
});
