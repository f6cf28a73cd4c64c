import { defineFeature } from '../../../operation/feature.ts';
import { mutedUsersChanged, mutedUsersOf } from '../../messages/blocking.ts';
import { addMutedUser } from './add.ts';
import { removeMutedUser } from './remove.ts';

/** Muted users: their messages arrive as read, and clients hide them. Other users cannot see the list. */
export const mutedUsers = defineFeature({
  operations: [addMutedUser, removeMutedUser],
  events: [mutedUsersChanged],
  initialState: {
    muted_users: async ({ context }) => ({ muted_users: await mutedUsersOf(context, context.actor.id) }),
  },
});
