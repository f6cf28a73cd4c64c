import { defineEvent } from '../../../kernel/define-event.ts';

/** In no log: made for the answer of a poll that waited in vain. */
export const heartbeat = defineEvent('heartbeat', {
  summary: 'Nothing happened for a while: the wait ends, and the client waits again.',
  fields: {},
});
