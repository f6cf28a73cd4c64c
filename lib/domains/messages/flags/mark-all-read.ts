import * as v from 'valibot';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe } from '../../../kernel/schemas.ts';
import { flagsEvent } from './change-flags.ts';

export const markAllRead = defineOperation({
  name: 'messages.markAllRead',
  http: 'POST /mark_all_as_read',
  summary: 'Mark everything as read',
  source: 'reference 7.8',
  access: 'user',
  effect: 'append',
  params: v.object({}),
  result: v.object({ complete: describe(v.boolean(), 'Always true: nothing is left to another call.') }),
  errors: [],
  async run({ tx, actor, emit }) {
    const changed = await tx.readState.markAllRead(actor.id);
    if (changed.length > 0) emit(flagsEvent(actor.id, 'add', 'read', changed));
    return { complete: true };
  },
});
