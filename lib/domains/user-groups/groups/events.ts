import * as v from 'valibot';
import { ifGroupShown } from '../../../access/events.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';
import { type GroupObject, groupChange, groupObject } from '../group-view.ts';

export const groupCreated = defineEvent('user_group/add', {
  summary:
    'A user group was created. Clients without support for deactivated groups also get this when a group is reactivated.',
  fields: { group: groupObject },
  forClient({ group, isReactivated }: { group: GroupObject; isReactivated?: true }, { options }) {
    return isReactivated && options.client_capabilities.include_deactivated_groups ? [] : { group };
  },
});

export const groupUpdated = defineEvent('user_group/update', {
  summary: 'A property of a user group changed.',
  fields: { group_id: v.number(), data: describe(groupChange, 'The new value by the name of the property.') },
  forClient: ifGroupShown<{ group_id: number; data: v.InferOutput<typeof groupChange> }>,
});

export const groupRemoved = defineEvent('user_group/remove', {
  summary: 'A user group was deactivated. Only for clients without support for deactivated groups.',
  fields: { group_id: v.number() },
  forClient: ({ group_id }: { group_id: number }, { options }) =>
    options.client_capabilities.include_deactivated_groups ? [] : { group_id },
});

const subgroups = { group_id: v.number(), direct_subgroup_ids: v.array(v.number()) };

export const subgroupsAdded = defineEvent('user_group/add_subgroups', {
  summary: 'Direct subgroups were added to a group.',
  fields: subgroups,
  forClient: ifGroupShown<{ group_id: number; direct_subgroup_ids: number[] }>,
});

export const subgroupsRemoved = defineEvent('user_group/remove_subgroups', {
  summary: 'Direct subgroups were removed from a group.',
  fields: subgroups,
  forClient: ifGroupShown<{ group_id: number; direct_subgroup_ids: number[] }>,
});
