import { accountCreated, accountHidden } from '../../../access/events.ts';
import { defineFeature } from '../../../kernel/feature.ts';
import { tellShownPermissions } from '../shown-permissions.ts';
import { createUser } from './create.ts';
import { createManyUsers } from './create-many.ts';
import { deactivateUser } from './deactivate.ts';
import { deactivateMe } from './deactivate-me.ts';
import { editUser } from './edit.ts';
import { editUserByEmail } from './edit-by-email.ts';
import { ensureUser } from './ensure.ts';
import { accountUpdated } from './events.ts';
import { getUser } from './get.ts';
import { getUserByEmail } from './get-by-email.ts';
import { accountsState } from './initial-state.ts';
import { listUsers } from './list.ts';
import { getMe } from './me.ts';
import { reactivateUser } from './reactivate.ts';
import { regenerateApiKey } from './regenerate-api-key.ts';

/**
 * Accounts of people and bots. Accounts can be deactivated but not deleted, because messages refer to their senders.
 * Every change is sent to the users who can see the account.
 */
export const accounts = defineFeature({
  operations: [
    listUsers,
    getMe,
    getUser,
    getUserByEmail,
    createUser,
    ensureUser,
    createManyUsers,
    editUser,
    editUserByEmail,
    deactivateUser,
    deactivateMe,
    reactivateUser,
    regenerateApiKey,
  ],
  events: [accountCreated, accountUpdated, accountHidden],
  initialState: { realm_user: accountsState },
  outbox: [tellShownPermissions],
});
