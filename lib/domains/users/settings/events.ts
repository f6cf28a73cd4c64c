import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';

export const settingsUpdated = defineEvent('user_settings/update', {
  summary: "One of the reader's own settings changed.",
  fields: { property: v.string(), value: v.unknown(), language_name: v.optional(v.string()) },
});
