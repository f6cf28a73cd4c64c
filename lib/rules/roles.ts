import type { Role, User } from '../storage/interface/users.ts';
import { traceOf } from './decisions.ts';

export const OWNER: Role = 100;
export const ADMINISTRATOR: Role = 200;
export const MODERATOR: Role = 300;
export const MEMBER: Role = 400;
export const GUEST: Role = 600;
export const ROLES: readonly Role[] = [OWNER, ADMINISTRATOR, MODERATOR, MEMBER, GUEST];

/** The values of `chatctl --as`. */
export const ROLE_NAMES: Readonly<Record<string, Role>> = {
  owner: OWNER,
  administrator: ADMINISTRATOR,
  admin: ADMINISTRATOR,
  moderator: MODERATOR,
  member: MEMBER,
  guest: GUEST,
};

/** `administrator` for 200. */
export function roleName(role: Role): string {
  return Object.entries(ROLE_NAMES).find(([, value]) => value === role)?.[0] ?? String(role);
}

/** `an administrator`. */
export function withArticle(role: Role): string {
  const name = roleName(role);
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

export const isOwner = (user: Pick<User, 'role'>) => decided(user, 'owner', user.role === OWNER);
export const isAdministrator = (user: Pick<User, 'role'>) => decided(user, 'administrator', user.role <= ADMINISTRATOR);
export const isModerator = (user: Pick<User, 'role'>) => decided(user, 'moderator', user.role <= MODERATOR);
export const isGuest = (user: Pick<User, 'role'>) => user.role === GUEST;
export const isBot = (user: Pick<User, 'bot_type'>) => user.bot_type !== null;

function decided(user: Pick<User, 'role'>, role: 'owner' | 'administrator' | 'moderator', isYes: boolean): boolean {
  traceOf(user)?.({ rule: 'role', role, isYes });
  return isYes;
}
