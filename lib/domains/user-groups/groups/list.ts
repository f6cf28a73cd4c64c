import * as v from 'valibot';
import { falseByDefault } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { externalIdEntries, externalIdFor, externalIdParams } from '../../../views/external-ids.ts';
import { groupObject, groupViews } from '../group.ts';

export const listUserGroups = defineOperation({
  name: 'userGroups.list',
  http: 'GET /user_groups',
  summary: 'List user groups, including system groups',
  description: 'Permission settings use the IDs of groups.',
  access: 'human member',
  params: { include_deactivated_groups: falseByDefault('Include deactivated groups.'), ...externalIdParams },
  result: v.object({ user_groups: v.array(v.object({ ...groupObject.entries, ...externalIdEntries })) }),
  extent: () => 'large',
  async run(context, { include_deactivated_groups, ...options }) {
    const views = await groupViews(context, { deactivated: include_deactivated_groups });
    const mirrored = new Map((await context.tx.groups.mirrored()).map((group) => [group.id, group.external_id]));
    return {
      user_groups: views.map((view) => ({
        ...view,
        ...externalIdFor(context.actor, options, { external_id: mirrored.get(view.id) ?? null }),
      })),
    };
  },
});
