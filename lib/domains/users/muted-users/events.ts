import * as v from 'valibot';
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
  // Looked up at delivery, so that the log does not store the whole list with each change.
  forClient: ({ muted_users = [] }: { muted_users?: v.InferOutput<typeof mutedUserObject>[] }) => ({ muted_users }),
});
