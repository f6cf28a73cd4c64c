import type { Role } from './users.ts';

/** A group ID, or lists of users and groups (both ascending). */
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
  /** Direct members, sorted. Empty for system groups, whose members depend on roles. */
  members: number[];
  direct_subgroup_ids: number[];
}

/** A group without the lists, which may be long. */
export type GroupHead = Omit<Group, 'members' | 'direct_subgroup_ids'>;

/** Membership rules of system groups. */
export interface RoleGroups {
  /** Users with the role are direct members of the group. */
  ofRoles: readonly (readonly [group: number, role: Role])[];
  /** Members who joined before a time are full members. */
  full: { group: number; role: Role; joined_by_ms: number };
}

export interface GroupStore {
  /** Ordered by id, with members and subgroups. */
  all(): Promise<Group[]>;
  byIds(ids: readonly number[]): Promise<Group[]>;
  heads(ids: readonly number[]): Promise<GroupHead[]>;
  /** Names are compared without regard to case. Ordered by ID. */
  headsByNames(names: readonly string[]): Promise<GroupHead[]>;
  /** Groups with own permissions, ordered by ID. */
  headsWithSettings(): Promise<GroupHead[]>;
  /** Groups created by one of the users, or with own permissions: only these can refer to one of the users. */
  headsNaming(userIds: readonly number[]): Promise<GroupHead[]>;
  create(group: Omit<Group, 'id'>): Promise<number>;
  update(id: number, patch: Partial<Pick<Group, 'name' | 'description' | 'deactivated' | 'settings'>>): Promise<void>;
  /** Returns the users who were not members before. */
  addMembers(id: number, userIds: readonly number[]): Promise<number[]>;
  /** Adds a user to several groups. */
  join(ids: readonly number[], userId: number): Promise<void>;
  /** Returns the users who were members before. */
  removeMembers(id: number, userIds: readonly number[]): Promise<number[]>;
  addSubgroups(id: number, groupIds: readonly number[]): Promise<number[]>;
  removeSubgroups(id: number, groupIds: readonly number[]): Promise<number[]>;
  /** Stored memberships of active and deactivated accounts. Ordered by group and user. */
  directMemberships(userIds: readonly number[]): Promise<{ group_id: number; user_id: number }[]>;
  /** All pairs of a group and its direct subgroup. */
  nestings(): Promise<{ group_id: number; subgroup_id: number }[]>;
  /** All groups of the user, directly or through subgroups. `roleGroupIds` are the system groups of the user's role. */
  containing(userId: number, roleGroupIds: readonly number[]): Promise<number[]>;
  /** These groups and all their direct and indirect subgroups. Ordered by ID. */
  inside(ids: readonly number[]): Promise<number[]>;
  /** These groups and all groups that contain them. Ordered by ID. */
  around(ids: readonly number[]): Promise<number[]>;
  /** Active accounts included in a permission value, directly or through groups of any depth. Ordered by ID. */
  holders(
    value: { direct_members: readonly number[]; direct_subgroups: readonly number[] },
    roleGroups: RoleGroups,
  ): Promise<{ id: number; role: Role }[]>;
  /** Numbers of groups without system groups, of their memberships and of their nestings. */
  count(): Promise<{ groups: number; memberships: number; nestings: number }>;
}
