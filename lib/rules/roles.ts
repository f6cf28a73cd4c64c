import type { GroupSettingValue } from '../model/groups.ts';
import type { Role, User } from '../model/users.ts';

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

export function systemGroupLabel(id: number): string | undefined {
  const group = SYSTEM_GROUPS.find((systemGroup) => systemGroup.id === id);
  return group && LABELS[group.name];
}

export interface Subject {
  kind: 'channel' | 'group';
  id: number;
  name: string;
}

/** The decision of one rule about an account. */
export type Decision = { isYes: boolean } & (
  | {
      /** account: its state; access: who can call the operation; message, user: whether it exists and is visible. */
      rule: 'account' | 'access' | 'message' | 'user';
      detail: string;
    }
  | { rule: 'role'; role: 'owner' | 'administrator' | 'moderator' }
  | {
      rule: 'permission';
      value: GroupSettingValue;
      /** Whether guests can have the permission. */
      guests: boolean;
      /** Name of the setting, if known. */
      setting?: string | undefined;
      /** The object with the setting. Absent: the organization. */
      of?: Subject | undefined;
    }
  | {
      rule: 'channel';
      /** Absent if the channel does not exist. */
      of?: Subject;
      detail: string;
    }
);

export type DecisionTrace = (decision: Decision) => void;

interface TracedAccount {
  readonly trace?: DecisionTrace;
}

/** A copy of the account that reports every rule applied to it. */
export const traced = <U extends object>(account: U, trace: DecisionTrace): U & TracedAccount => ({
  ...account,
  trace,
});

/** The callback for decisions about the account. Undefined unless `traced` made the account. */
export const traceOf = (account: object): DecisionTrace | undefined => (account as TracedAccount).trace;
