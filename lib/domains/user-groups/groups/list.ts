import * as v from 'valibot';
import { flag, optional } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { groupObject, groupViews } from '../group-view.ts';

export const listUserGroups = defineOperation({
  name: 'userGroups.list',
  http: 'GET /user_groups',
  summary: 'List user groups, including system groups',
  description: 'Permission settings use the IDs of groups.',
  access: 'human member',
  params: { include_deactivated_groups: optional(flag, 'Include deactivated groups.', false) },
  result: v.object({ user_groups: v.array(groupObject) }),
  extent: () => 'large',
  async run(context, { include_deactivated_groups }) {
    return { user_groups: await groupViews(context, { deactivated: include_deactivated_groups }) };
  },
});
