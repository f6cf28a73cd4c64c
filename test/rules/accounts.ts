import type { Organization } from '../../lib/model/organization.ts';
import type { Role } from '../../lib/model/users.ts';
import { type Membership, roleMembership } from '../../lib/rules/permissions.ts';

export const NOW = Date.UTC(2026, 3, 1, 12);
const DAY = 86_400_000;

export const ROLES: readonly Role[] = [100, 200, 300, 400, 600];

export function organization(settings: Record<string, unknown> = {}): Organization {
  return {
    version: 1,
    users_version: 1,
    name: 'Elsinore',
    description: '',
    host: 'chat.example.com',
    created_ms: 0,
    secret: '00',
    uuid: '',
    settings,
    web_push_generation: 0,
    linkifiers: [],
    profile_fields: [],
  };
}

/** An account with the role that joined `days` days ago. */
export const account = (role: Role, days = 100, id: number = role) => ({ id, role, joined_ms: NOW - days * DAY });

/** The membership of a user in these groups and in the groups of their role. */
export function membership(role: Role, groups: readonly number[] = [], id?: number): Membership {
  const byRole = roleMembership(account(role, 100, id), organization(), NOW);
  return { ...byRole, groups: new Set([...byRole.groups, ...groups]) };
}
