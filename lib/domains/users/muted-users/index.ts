import { defineFeature } from '../../../operation/feature.ts';
import { addMutedUser } from './add.ts';
import { mutedUsersChanged } from './events.ts';
import { removeMutedUser } from './remove.ts';

/** Muted users: their messages arrive as read, and clients hide them. Other users cannot see the list. */
export const mutedUsers = defineFeature({
  operations: [addMutedUser, removeMutedUser],
  events: [mutedUsersChanged],
  initialState: {
    muted_users: async ({ context: { tx, actor } }) => ({ muted_users: await tx.mutedUsers.of(actor.id) }),
  },
});
