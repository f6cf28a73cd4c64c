import type { Role } from './users.ts';

/** A group ID, or lists of users and groups (both ascending). */
export type GroupSettingValue = number | { direct_members: number[]; direct_subgroups: number[] };

export interface Group {
  id: number;
  /** ID in the embedding program. Unique. Set by `chat.sync`. */
  external_id: string | null;
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
