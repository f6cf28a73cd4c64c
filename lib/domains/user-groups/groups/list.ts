import * as v from 'valibot';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, flag } from '../../../kernel/schemas.ts';
import { groupObject, groupViews } from '../group-view.ts';

export const listUserGroups = defineOperation({
  name: 'userGroups.list',
  http: 'GET /user_groups',
  summary: 'List user groups, the role groups of the system included',
  description: 'Their IDs are what permission settings take.',
  access: 'human member',
  effect: 'read',
  params: v.object({ include_deactivated_groups: v.optional(describe(flag, 'Deactivated groups too.'), false) }),
  result: v.object({ user_groups: v.array(groupObject) }),
  errors: [],
  extent: () => 'large',
  async run(context, { include_deactivated_groups }) {
    return { user_groups: await groupViews(context, { deactivated: include_deactivated_groups }) };
  },
});
