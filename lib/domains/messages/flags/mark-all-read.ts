import * as v from 'valibot';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe } from '../../../kernel/schemas.ts';
import { markInParts } from './mark-in-parts.ts';

/** After this a call answers, and another one goes on; clients give up after a minute. */
const MAX_MS = 25_000;

export const markAllRead = defineOperation({
  name: 'messages.markAllRead',
  http: 'POST /mark_all_as_read',
  summary: 'Mark everything as read',
  description: 'Very much of it takes several calls: repeat it until `complete` is true.',
  access: 'user',
  effect: 'manual',
  startsInTransaction: true,
  params: v.object({}),
  result: v.object({ complete: describe(v.boolean(), 'Whether nothing is left to another call.') }),
  errors: [],
  async run(context) {
    const end = performance.now() + MAX_MS;
    const isOver = () => performance.now() >= end || context.signal?.aborted === true;
    return { complete: await markInParts(context, async () => ({}), isOver) };
  },
});
