import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';

export const settingsDefaultsUpdated = defineEvent('realm_user_settings_defaults/update', {
  summary: 'New accounts begin with another value of a personal setting.',
  fields: { property: v.string(), value: v.unknown() },
});
