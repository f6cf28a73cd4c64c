import * as v from 'valibot';
import type { AccountContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';

export const mutedUserObject = v.object({
  id: describe(v.number(), 'Whose messages arrive read.'),
  timestamp: describe(v.number(), 'Since when; UNIX time, seconds.'),
});

export const mutedUsersChanged = defineEvent('muted_users', {
  summary: 'The reader has muted somebody, or mutes them no more: all whom they mute.',
  fields: { muted_users: v.array(mutedUserObject) },
});

/** Tells the caller's clients whom the caller mutes now. */
export async function emitMutedUsers({ tx, actor, emit }: AccountContext): Promise<void> {
  emit({ users: [actor.id] }, mutedUsersChanged({ muted_users: await tx.mutedUsers.of(actor.id) }));
}
