import * as v from 'valibot';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { markInParts } from './mark-in-parts.ts';

/** After this time the call returns `complete: false`. Clients give up after 60 seconds. */
const MAX_MS = 25_000;

export const markAllRead = defineOperation({
  name: 'messages.markAllRead',
  http: 'POST /mark_all_as_read',
  summary: 'Mark all messages as read',
  description: 'If you have very many unread messages, repeat the call until `complete` is true.',
  access: 'user',
  effect: 'manual',
  params: {},
  result: v.object({ complete: describe(v.boolean(), 'False if unread messages are left. Then call again.') }),
  async run(context) {
    return { complete: await markInParts(context, async () => ({}), { maxMs: MAX_MS }) };
  },
});
