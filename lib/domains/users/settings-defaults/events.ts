import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';

export const settingsDefaultsUpdated = defineEvent('realm_user_settings_defaults/update', {
  summary: 'A default setting of new accounts changed.',
  fields: { property: v.string(), value: v.unknown() },
});
