import { defineEvent } from '../../../kernel/define-event.ts';

/** Not in the log: the response to a poll that timed out. */
export const heartbeat = defineEvent('heartbeat', {
  summary: 'The poll timed out without events. Poll again.',
  fields: {},
});
