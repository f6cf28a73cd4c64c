import { defineFeature } from '../../../kernel/feature.ts';
import { groupMembersAdded, groupMembersRemoved } from './events.ts';
import { groupsState } from './initial-state.ts';
import { listUserGroups } from './list.ts';

/** User groups, the system's own among them: those follow from roles and have no stored members. */
export const userGroups = defineFeature({
  operations: [listUserGroups],
  events: [groupMembersAdded, groupMembersRemoved],
  initialState: { realm_user_groups: groupsState },
});
