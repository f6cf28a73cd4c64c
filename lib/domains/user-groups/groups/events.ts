import * as v from 'valibot';
import { ifGroupShown } from '../../../access/events.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';
import { type GroupObject, groupChange, groupObject } from '../group-view.ts';

export const groupCreated = defineEvent('user_group/add', {
  summary: 'A user group was created, or reactivated for a client that does not know deactivated groups.',
  fields: { group: groupObject },
  forClient({ group, isReactivated }: { group: GroupObject; isReactivated?: true }, { options }) {
    return isReactivated && options.client_capabilities.include_deactivated_groups ? [] : { group };
  },
});

export const groupUpdated = defineEvent('user_group/update', {
  summary: 'One property of a user group has a new value.',
  fields: { group_id: v.number(), data: describe(groupChange, 'The property under its name.') },
  forClient: ifGroupShown<{ group_id: number; data: v.InferOutput<typeof groupChange> }>,
});

export const groupRemoved = defineEvent('user_group/remove', {
  summary: 'A user group was deactivated, for a client that does not know deactivated groups.',
  fields: { group_id: v.number() },
  forClient: ({ group_id }: { group_id: number }, { options }) =>
    options.client_capabilities.include_deactivated_groups ? [] : { group_id },
});

const subgroups = { group_id: v.number(), direct_subgroup_ids: v.array(v.number()) };

export const subgroupsAdded = defineEvent('user_group/add_subgroups', {
  summary: 'Groups are directly in a group now.',
  fields: subgroups,
  forClient: ifGroupShown<{ group_id: number; direct_subgroup_ids: number[] }>,
});

export const subgroupsRemoved = defineEvent('user_group/remove_subgroups', {
  summary: 'Groups are directly in a group no more.',
  fields: subgroups,
  forClient: ifGroupShown<{ group_id: number; direct_subgroup_ids: number[] }>,
});
