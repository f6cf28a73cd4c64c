import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';

export const defaultChannelsChanged = defineEvent('default_streams', {
  summary: 'The default channels for new users changed. Contains the complete list.',
  fields: { default_streams: v.array(v.number()) },
});
