import * as v from 'valibot';
import { describe, falseByDefault, id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { groupMembers } from '../../../viewer/audiences.ts';
import { accessGroup, namedGroupView } from '../group.ts';

export const listUserGroupMembers = defineOperation({
  name: 'userGroups.members',
  http: 'GET /user_groups/{user_group_id}/members',
  summary: 'List the members of a user group',
  description: 'Active accounts only. Includes members of subgroups.',
  example: { user_group_id: 9 },
  access: 'human member',
  params: {
    user_group_id: id,
    direct_member_only: falseByDefault('List only direct members.'),
  },
  result: v.object({ members: describe(v.array(v.number()), 'User IDs in ascending order.') }),
  extent: () => 'large',
  async run(context, { user_group_id, direct_member_only }) {
    const group = await accessGroup(context, user_group_id);
    if (!direct_member_only) return { members: await groupMembers(context, [group.id]) };
    return { members: (await namedGroupView(context, group.id)).members };
  },
});
