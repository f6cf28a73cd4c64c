import { defineEvent } from '../../../kernel/define-event.ts';

/** In no log: made for the answer of a poll that waited in vain. */
export const heartbeat = defineEvent('heartbeat', {
  summary: 'The poll timed out without events. Poll again.',
  fields: {},
});
