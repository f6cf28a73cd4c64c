import { defineFeature } from '../../../operation/feature.ts';
import { blockUser } from './block.ts';
import { listBlockedUsers } from './list-blocked.ts';
import { unblockUser } from './unblock.ts';

/**
 * Blocks between users. `lib/domains/messages/blocking.ts` says what they do. Other users cannot see the list. Events
 * and initial state are those of muted users.
 */
export const blocks = defineFeature({ operations: [blockUser, unblockUser, listBlockedUsers] });
