import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { botObject } from './view.ts';

export const botCreated = defineEvent('realm_bot/add', {
  summary: 'A bot was created that the reader owns or administers. Its key is in no event.',
  fields: { bot: botObject },
});

export const botUpdated = defineEvent('realm_bot/update', {
  summary: 'Something of a bot changed: its id and what is new.',
  fields: { bot: v.object({ ...v.partial(botObject).entries, user_id: v.number() }) },
});
