import type { Snapshot } from '../../../kernel/context.ts';
import { defineFeature } from '../../../kernel/feature.ts';
import { groupMembersAdded, groupMembersRemoved } from './events.ts';
import { listUserGroups } from './list.ts';
import { groupViews } from './view.ts';

/**
 * User groups: what permission settings name. Every organization has those of the system, one for each role
 * and above; their members follow from the accounts and are stored nowhere.
 */
export const userGroups = defineFeature({
  operations: [listUserGroups],
  events: [groupMembersAdded, groupMembersRemoved],
  initialState: {
    /** Deactivated groups are shown only to clients that understand them. */
    realm_user_groups: async ({ context, options }: Snapshot) => ({
      realm_user_groups: await groupViews(context, {
        deactivated: options.client_capabilities.include_deactivated_groups ?? false,
      }),
    }),
  },
});
