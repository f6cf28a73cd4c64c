import * as v from 'valibot';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe } from '../../../kernel/schemas.ts';
import { emitRead } from './change-flags.ts';

export const markAllRead = defineOperation({
  name: 'messages.markAllRead',
  http: 'POST /mark_all_as_read',
  summary: 'Mark everything as read',
  access: 'user',
  effect: 'mark',
  params: v.object({}),
  result: v.object({ complete: describe(v.boolean(), 'Always true: nothing is left to another call.') }),
  errors: [],
  async run(context) {
    const changed = await context.tx.readState.markAllRead(context.actor.id);
    await emitRead(context, changed);
    return { complete: true };
  },
});
