import * as v from 'valibot';
import { describe, falseByDefault, id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { accessGroup } from '../group.ts';

export const listUserGroupSubgroups = defineOperation({
  name: 'userGroups.subgroups',
  http: 'GET /user_groups/{user_group_id}/subgroups',
  summary: 'List the subgroups of a user group',
  description: 'Includes indirect subgroups.',
  example: { user_group_id: 9 },
  access: 'human member',
  params: {
    user_group_id: id,
    direct_subgroup_only: falseByDefault('List only direct subgroups.'),
  },
  result: v.object({ subgroups: describe(v.array(v.number()), 'Group IDs in ascending order.') }),
  async run(context, { user_group_id, direct_subgroup_only }) {
    const { id } = await accessGroup(context, user_group_id);
    if (direct_subgroup_only) {
      const [group] = await context.tx.groups.byIds([id]);
      return { subgroups: group?.direct_subgroup_ids ?? [] };
    }
    return { subgroups: (await context.tx.groups.inside([id])).filter((inner) => inner !== id) };
  },
});
