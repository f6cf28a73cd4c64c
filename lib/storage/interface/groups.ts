import type { Role } from './users.ts';

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

/** A group without the lists, which may be long. */
export type GroupHead = Omit<Group, 'members' | 'direct_subgroup_ids'>;

/** From what the members of system groups follow. */
export interface RoleGroups {
  /** Who has the role is a direct member of the group. */
  ofRoles: readonly (readonly [group: number, role: Role])[];
  /** Members with an account of some age are full members. */
  full: { group: number; role: Role; joined_by_ms: number };
}

export interface GroupStore {
  /** Ordered by id, with members and subgroups. */
  all(): Promise<Group[]>;
  byIds(ids: readonly number[]): Promise<Group[]>;
  heads(ids: readonly number[]): Promise<GroupHead[]>;
  /** Names compare without regard to case; ordered by id. */
  headsByNames(names: readonly string[]): Promise<GroupHead[]>;
  /** Those with a permission of their own, ordered by id. */
  headsWithSettings(): Promise<GroupHead[]>;
  /** Those created by one of the users, or with a permission of their own: no others can name one of them. */
  headsNaming(userIds: readonly number[]): Promise<GroupHead[]>;
  create(group: Omit<Group, 'id'>): Promise<number>;
  update(id: number, patch: Partial<Pick<Group, 'name' | 'description' | 'deactivated' | 'settings'>>): Promise<void>;
  /** Returns those who were no members before. */
  addMembers(id: number, userIds: readonly number[]): Promise<number[]>;
  /** Makes somebody a member of several groups. */
  join(ids: readonly number[], userId: number): Promise<void>;
  /** Returns those who were members before. */
  removeMembers(id: number, userIds: readonly number[]): Promise<number[]>;
  addSubgroups(id: number, groupIds: readonly number[]): Promise<number[]>;
  removeSubgroups(id: number, groupIds: readonly number[]): Promise<number[]>;
  /** Stored pairs, active accounts or not; ordered by group and user. */
  directMemberships(userIds: readonly number[]): Promise<{ group_id: number; user_id: number }[]>;
  /** Every pair of a group and a group in it. */
  nestings(): Promise<{ group_id: number; subgroup_id: number }[]>;
  /** Every group the user belongs to through membership or nesting, given the role groups that follow from the user's role. */
  containing(userId: number, roleGroupIds: readonly number[]): Promise<number[]>;
  /** These groups and all that are in them, directly or through nesting; ordered by id. */
  inside(ids: readonly number[]): Promise<number[]>;
  /** These groups and all that they are in; ordered by id. */
  around(ids: readonly number[]): Promise<number[]>;
  /** Active accounts that a permission value includes, one by one or through any depth of nesting; ordered by id. */
  holders(
    value: { direct_members: readonly number[]; direct_subgroups: readonly number[] },
    roleGroups: RoleGroups,
  ): Promise<{ id: number; role: Role }[]>;
  /** Groups beside those of the system, memberships and nestings in all of them. */
  count(): Promise<{ groups: number; memberships: number; nestings: number }>;
}
