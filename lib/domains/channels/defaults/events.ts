import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';

export const defaultChannelsChanged = defineEvent('default_streams', {
  summary: 'Other channels than before are those that new users are subscribed to: all of them.',
  fields: { default_streams: v.array(v.number()) },
});
