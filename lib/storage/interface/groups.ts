/** A group's id, or users and groups one by one (both sorted ascending). */
export type GroupSettingValue = number | { direct_members: number[]; direct_subgroups: number[] };

export interface Group {
  id: number;
  name: string;
  description: string;
  is_system_group: boolean;
  creator_id: number | null;
  created_ms: number | null;
  deactivated: boolean;
  /** Permission settings that differ from their default. */
  settings: Record<string, GroupSettingValue>;
  /** Direct members, sorted; empty for system groups, whose members follow from roles. */
  members: number[];
  direct_subgroup_ids: number[];
}

export interface GroupStore {
  /** Ordered by id, with members and subgroups. */
  all(): Promise<Group[]>;
  byIds(ids: readonly number[]): Promise<Group[]>;
  create(group: Omit<Group, 'id'>): Promise<number>;
  /** Every group the user belongs to through membership or nesting, given the role groups that follow from the user's role. */
  containing(userId: number, roleGroupIds: readonly number[]): Promise<number[]>;
}
