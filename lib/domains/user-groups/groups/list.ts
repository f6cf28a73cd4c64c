import * as v from 'valibot';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, flag } from '../../../kernel/schemas.ts';
import { groupObject, groupView } from '../group-view.ts';

export const listUserGroups = defineOperation({
  name: 'userGroups.list',
  http: 'GET /user_groups',
  summary: 'List user groups, the role groups of the system included',
  description: 'Their IDs are what permission settings take.',
  source: 'reference 7.7',
  access: 'human member',
  effect: 'read',
  params: v.object({ include_deactivated_groups: v.optional(describe(flag, 'Deactivated groups too.'), false) }),
  result: v.object({ user_groups: v.array(groupObject) }),
  errors: [],
  async run({ tx, organization, services, now }, { include_deactivated_groups }) {
    await services.directory.refresh(tx, organization);
    const inactive = new Set(await tx.users.inactiveIds());
    const groups = (await tx.groups.all()).filter((group) => include_deactivated_groups || !group.deactivated);
    const users = [...services.directory.all()];
    return { user_groups: groups.map((group) => groupView(group, users, organization, inactive, now)) };
  },
});
