import type { Group, GroupHead, RoleGroups } from '../../model/groups.ts';
import type { Role } from '../../model/users.ts';

export interface GroupStore {
  /** Ordered by id, with members and subgroups. */
  all(): Promise<Group[]>;
  byIds(ids: readonly number[]): Promise<Group[]>;
  heads(ids: readonly number[]): Promise<GroupHead[]>;
  /** Names are compared without regard to case. Ordered by ID. */
  headsByNames(names: readonly string[]): Promise<GroupHead[]>;
  headsByExternalIds(externalIds: readonly string[]): Promise<GroupHead[]>;
  /** Groups with an external ID, including deactivated ones. */
  mirrored(): Promise<GroupHead[]>;
  /** Groups with own permissions, ordered by ID. */
  headsWithSettings(): Promise<GroupHead[]>;
  /** Groups created by one of the users, or with own permissions: only these can refer to one of the users. */
  headsNaming(userIds: readonly number[]): Promise<GroupHead[]>;
  create(group: Omit<Group, 'id'>): Promise<number>;
  update(
    id: number,
    patch: Partial<Pick<Group, 'external_id' | 'name' | 'description' | 'deactivated' | 'settings'>>,
  ): Promise<void>;
  /** Returns the users who were not members before. */
  addMembers(id: number, userIds: readonly number[]): Promise<number[]>;
  join(ids: readonly number[], userId: number): Promise<void>;
  /** Returns the users who were members before. */
  removeMembers(id: number, userIds: readonly number[]): Promise<number[]>;
  addSubgroups(id: number, groupIds: readonly number[]): Promise<number[]>;
  removeSubgroups(id: number, groupIds: readonly number[]): Promise<number[]>;
  /** Stored memberships of active and deactivated accounts. Ordered by group and user. */
  directMemberships(userIds: readonly number[]): Promise<{ group_id: number; user_id: number }[]>;
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
