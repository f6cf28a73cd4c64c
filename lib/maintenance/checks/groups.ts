import { type Check, counted } from './check.ts';

/** No group may contain itself, directly or through subgroups. */
export const groupChecks: readonly Check[] = [
  {
    name: 'groups',
    says: (n) => `${counted(n, 'group contains itself', 'groups contain themselves')}.`,
    advice: 'Break the cycle: remove one of these groups from another with `chatctl user-groups subgroups`.',
    async *run({ connection }) {
      const below = new Map<number, number[]>();
      for (const { group_id, subgroup_id } of await connection.all<{ group_id: number; subgroup_id: number }>(
        'SELECT group_id, subgroup_id FROM group_subgroups ORDER BY group_id, subgroup_id',
      )) {
        const list = below.get(group_id);
        if (list) list.push(subgroup_id);
        else below.set(group_id, [subgroup_id]);
      }
      for (const id of inCircles(below)) yield `group ${id}`;
    },
  },
];

/** Groups in or above cycles (Kahn's algorithm): repeatedly removes groups without subgroups and returns the rest. */
function inCircles(below: ReadonlyMap<number, readonly number[]>): number[] {
  const above = new Map<number, number[]>();
  const left = new Map<number, number>();
  for (const [group, subgroups] of below) {
    left.set(group, subgroups.length);
    for (const subgroup of subgroups) {
      above.set(subgroup, [...(above.get(subgroup) ?? []), group]);
      if (!below.has(subgroup)) left.set(subgroup, 0);
    }
  }
  const free = [...left].filter(([, n]) => n === 0).map(([id]) => id);
  for (const id of free) {
    left.delete(id);
    for (const group of above.get(id) ?? []) {
      const n = (left.get(group) ?? 0) - 1;
      left.set(group, n);
      if (n === 0) free.push(group);
    }
  }
  return [...left.keys()].sort((one, other) => one - other);
}
