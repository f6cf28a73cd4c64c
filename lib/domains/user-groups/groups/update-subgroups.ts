import { BadRequest, FieldLocked } from '../../../base/errors.ts';
import { id, ids, optional } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { accessChangeableGroup } from '../group.ts';
import { changeSubgroups } from '../memberships.ts';

export const updateUserGroupSubgroups = defineOperation({
  name: 'userGroups.updateSubgroups',
  http: 'POST /user_groups/{user_group_id}/subgroups',
  summary: 'Add groups to a user group, or remove them',
  description: 'All changes are applied, or none. A group cannot contain itself, not even indirectly.',
  example: { user_group_id: 9, add: [10] },
  access: 'human member',
  effect: 'write',
  audited: true,
  params: {
    user_group_id: id,
    add: optional(ids, 'Groups to add. Deactivated groups are refused.', []),
    delete: optional(ids, 'Groups to remove.', []),
  },
  errors: [FieldLocked],
  async run(context, { user_group_id, add, delete: removed }) {
    if (add.length + removed.length === 0) throw new BadRequest('Give at least one group to add or remove.');
    const group = await accessChangeableGroup(context, user_group_id);
    if (add.length > 0) await changeSubgroups(context, group, 'add', add);
    if (removed.length > 0) await changeSubgroups(context, group, 'remove', removed);
  },
});
