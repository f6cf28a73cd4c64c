import * as v from 'valibot';
import type { AccountContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';

const mutedUserObject = v.object({
  id: describe(v.number(), 'Whose messages arrive read.'),
  timestamp: describe(v.number(), 'Since when; UNIX time, seconds.'),
});

export const mutedUsersChanged = defineEvent('muted_users', {
  summary: 'The reader has muted somebody, or mutes them no more: all whom they mute.',
  fields: { muted_users: v.array(mutedUserObject) },
  lookUp: { forReader: async ({ tx }, reader) => ({ muted_users: await tx.mutedUsers.of(reader.id) }) },
  forClient: ({ muted_users = [] }: Stored) => ({ muted_users }),
});

/** The log does not repeat the whole list with each change. */
export interface Stored {
  muted_users?: v.InferOutput<typeof mutedUserObject>[];
}

/** Tells the caller's clients whom the caller mutes now. */
export function emitMutedUsers({ actor, emit }: AccountContext): void {
  emit({ users: [actor.id] }, mutedUsersChanged({}));
}
