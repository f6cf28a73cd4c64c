import { defineEvent } from '../../../kernel/define-event.ts';

export const heartbeat = defineEvent('heartbeat', {
  summary: 'Nothing happened for a while: the wait ends, and the client waits again.',
  fields: {},
});
