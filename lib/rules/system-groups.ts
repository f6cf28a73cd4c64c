import type { Role } from '../model/users.ts';
import { ADMINISTRATOR, GUEST, MEMBER, MODERATOR, OWNER } from './roles.ts';

/**
 * The groups that every organization has. A new database creates them first, so their IDs are always the same. Their
 * members follow from roles and are not stored.
 */
export const SYSTEM_GROUPS = [
  { id: 1, name: 'role:nobody', description: 'Nobody', role: null, subgroup: null },
  { id: 2, name: 'role:owners', description: 'Owners of this organization', role: OWNER, subgroup: null },
  {
    id: 3,
    name: 'role:administrators',
    description: 'Administrators of this organization, including owners',
    role: ADMINISTRATOR,
    subgroup: 2,
  },
  {
    id: 4,
    name: 'role:moderators',
    description: 'Moderators of this organization, including administrators',
    role: MODERATOR,
    subgroup: 3,
  },
  {
    id: 5,
    name: 'role:fullmembers',
    description: 'Members of this organization, not including new accounts and guests',
    role: null,
    subgroup: 4,
  },
  {
    id: 6,
    name: 'role:members',
    description: 'Members of this organization, not including guests',
    role: MEMBER,
    subgroup: 5,
  },
  {
    id: 7,
    name: 'role:everyone',
    description: 'Everyone in this organization, including guests',
    role: GUEST,
    subgroup: 6,
  },
  { id: 8, name: 'role:internet', description: 'Everyone on the Internet', role: null, subgroup: 7 },
] as const satisfies readonly {
  id: number;
  name: string;
  description: string;
  role: Role | null;
  subgroup: number | null;
}[];

export type SystemGroupName = (typeof SYSTEM_GROUPS)[number]['name'];

const IDS = Object.fromEntries(SYSTEM_GROUPS.map((group) => [group.name, group.id])) as Record<SystemGroupName, number>;

export function systemGroupId(name: SystemGroupName): number {
  return IDS[name];
}

export function isSystemGroupId(id: number): boolean {
  return id >= 1 && id <= SYSTEM_GROUPS.length;
}

const LABELS: Readonly<Record<SystemGroupName, string>> = {
  'role:nobody': 'Nobody',
  'role:owners': 'Owners',
  'role:administrators': 'Administrators',
  'role:moderators': 'Moderators',
  'role:fullmembers': 'Full members',
  'role:members': 'Members',
  'role:everyone': 'Everyone',
  'role:internet': 'Everyone on the internet',
};

/** Display name of a system group; undefined for other groups. */
export function systemGroupLabel(id: number): string | undefined {
  const group = SYSTEM_GROUPS.find((systemGroup) => systemGroup.id === id);
  return group && LABELS[group.name];
}
