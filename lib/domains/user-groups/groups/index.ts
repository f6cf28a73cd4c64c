import { defineFeature } from '../../../operation/feature.ts';
import { groupMembersAdded, groupMembersRemoved } from '../../../views/shared-events.ts';
import { groupCreated, groupRemoved, groupUpdated, groupViews, subgroupsAdded, subgroupsRemoved } from '../group.ts';
import { createUserGroup } from './create.ts';
import { deactivateUserGroup } from './deactivate.ts';
import { editUserGroup } from './edit.ts';
import { isUserGroupMember } from './is-member.ts';
import { listUserGroups } from './list.ts';
import { listUserGroupMembers } from './members.ts';
import { listUserGroupSubgroups } from './subgroups.ts';
import { updateUserGroupMembers } from './update-members.ts';
import { updateUserGroupSubgroups } from './update-subgroups.ts';

/**
 * User groups, for permission settings and mentions. Every organization has system groups, one per role with all higher
 * roles. Their members follow from the roles of accounts and are not stored.
 */
export const userGroups = defineFeature({
  operations: [
    listUserGroups,
    createUserGroup,
    editUserGroup,
    deactivateUserGroup,
    updateUserGroupMembers,
    updateUserGroupSubgroups,
    listUserGroupMembers,
    listUserGroupSubgroups,
    isUserGroupMember,
  ],
  events: [
    groupCreated,
    groupUpdated,
    groupRemoved,
    groupMembersAdded,
    groupMembersRemoved,
    subgroupsAdded,
    subgroupsRemoved,
  ],
  initialState: {
    /** Contains deactivated groups only for clients that support them. */
    realm_user_groups: async ({ context, options }) => ({
      realm_user_groups: await groupViews(context, {
        deactivated: options.client_capabilities.include_deactivated_groups ?? false,
      }),
    }),
  },
});
