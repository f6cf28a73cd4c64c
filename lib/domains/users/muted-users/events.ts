import * as v from 'valibot';
import type { AccountContext } from '../../../access/context.ts';
import { describe } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';

const mutedUserObject = v.object({
  id: describe(v.number(), 'ID of the muted user.'),
  timestamp: describe(v.number(), 'When the user was muted; UNIX seconds.'),
});

export const mutedUsersChanged = defineEvent('muted_users', {
  summary: "The reader's list of muted users changed. Contains the whole list.",
  fields: { muted_users: v.array(mutedUserObject) },
  lookUp: { forReader: async ({ tx }, reader) => ({ muted_users: await tx.mutedUsers.of(reader.id) }) },
  forClient: ({ muted_users = [] }: Stored) => ({ muted_users }),
});

/** The list is looked up at delivery, so that the log does not store it with each change. */
export interface Stored {
  muted_users?: v.InferOutput<typeof mutedUserObject>[];
}

/** Sends the list of muted users to the caller's clients. */
export function emitMutedUsers({ actor, emit }: AccountContext): void {
  emit({ users: [actor.id] }, mutedUsersChanged({}));
}
