import { BadRequest, FieldLocked } from '../../../base/errors.ts';
import { id, ids, optional } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { accessChangeableGroup } from '../group.ts';
import { changeMembers, changeSubgroups } from '../memberships.ts';

export const updateUserGroupMembers = defineOperation({
  name: 'userGroups.updateMembers',
  http: 'POST /user_groups/{user_group_id}/members',
  summary: 'Add users and groups to a user group, or remove them',
  description:
    'All changes are applied, or none. Fails if a user to add is already a member or a user to remove is not. The notification bot messages the users, unless there are more than 1000.',
  example: { user_group_id: 9, add: [10] },
  access: 'human member',
  effect: 'write',
  audited: true,
  params: {
    user_group_id: id,
    add: optional(ids, 'Users to add. Deactivated users are refused.', []),
    delete: optional(ids, 'Users to remove.', []),
    add_subgroups: optional(ids, 'Groups to add.', []),
    delete_subgroups: optional(ids, 'Groups to remove.', []),
  },
  errors: [FieldLocked],
  async run(context, { user_group_id, add, delete: removed, add_subgroups, delete_subgroups }) {
    if (add.length + removed.length + add_subgroups.length + delete_subgroups.length === 0) {
      throw new BadRequest('Give at least one user or group to add or remove.');
    }
    const group = await accessChangeableGroup(context, user_group_id);
    if (add.length > 0) await changeMembers(context, group, 'add', add);
    if (removed.length > 0) await changeMembers(context, group, 'remove', removed);
    if (add_subgroups.length > 0) await changeSubgroups(context, group, 'add', add_subgroups);
    if (delete_subgroups.length > 0) await changeSubgroups(context, group, 'remove', delete_subgroups);
  },
});
