import * as v from 'valibot';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, empty, id, ids } from '../../../kernel/schemas.ts';
import { accessChangeableGroup } from '../group-access.ts';
import { addMembers, addSubgroups, removeMembers, removeSubgroups } from '../memberships.ts';

export const updateUserGroupMembers = defineOperation({
  name: 'userGroups.updateMembers',
  http: 'POST /user_groups/{user_group_id}/members',
  summary: 'Add people and groups to a user group, or take them out',
  description:
    'All or nothing: whoever is there already cannot be added, nor taken out who is not. The notification bot tells up to 1000 people; of more at once, none.',
  example: { user_group_id: 9, add: [10] },
  access: 'human member',
  effect: 'write',
  audited: true,
  params: v.object({
    user_group_id: id,
    add: v.optional(describe(ids, 'Users to add; deactivated ones are refused.'), []),
    delete: v.optional(describe(ids, 'Users to take out.'), []),
    add_subgroups: v.optional(describe(ids, 'Groups to add.'), []),
    delete_subgroups: v.optional(describe(ids, 'Groups to take out.'), []),
  }),
  result: empty,
  errors: [BadRequest],
  async run(context, { user_group_id, add, delete: removed, add_subgroups, delete_subgroups }) {
    if (add.length + removed.length + add_subgroups.length + delete_subgroups.length === 0) {
      throw new BadRequest('Nobody to add or take out was given.');
    }
    const group = await accessChangeableGroup(context, user_group_id);
    if (add.length > 0) await addMembers(context, group, add);
    if (removed.length > 0) await removeMembers(context, group, removed);
    if (add_subgroups.length > 0) await addSubgroups(context, group, add_subgroups);
    if (delete_subgroups.length > 0) await removeSubgroups(context, group, delete_subgroups);
    return {};
  },
});
