import * as v from 'valibot';
import { falseByDefault, id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { directRoleGroupIds } from '../../../rules/permissions.ts';
import { viewerOf } from '../../../viewer/viewer.ts';
import { accessGroup } from '../group.ts';

export const isUserGroupMember = defineOperation({
  name: 'userGroups.isMember',
  http: 'GET /user_groups/{user_group_id}/members/{user_id}',
  summary: 'Check whether a user is in a user group',
  description: 'Counts direct members and members of subgroups.',
  example: { user_group_id: 9, user_id: 10 },
  access: 'human member',
  params: {
    user_group_id: id,
    user_id: id,
    direct_member_only: falseByDefault('Count only direct members.'),
  },
  result: v.object({ is_user_group_member: v.boolean() }),
  async run(context, { user_group_id, user_id, direct_member_only }) {
    const { tx, organization, now } = context;
    const { id } = await accessGroup(context, user_group_id);
    const [user] = await context.viewer.activeAccounts([user_id]);
    if (!user) return { is_user_group_member: false };
    if (!direct_member_only)
      return { is_user_group_member: (await viewerOf(context, user).membership()).groups.has(id) };
    const direct = (await tx.groups.directMemberships([user.id])).map((pair) => pair.group_id);
    return { is_user_group_member: [...direct, ...directRoleGroupIds(user, organization, now)].includes(id) };
  },
});
