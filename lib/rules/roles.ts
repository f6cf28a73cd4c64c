import { present } from '../base/present.ts';
import type { GroupSettingValue } from '../model/groups.ts';
import type { Role, User } from '../model/users.ts';

export const OWNER: Role = 100;
export const ADMINISTRATOR: Role = 200;
export const MODERATOR: Role = 300;
export const MEMBER: Role = 400;
export const GUEST: Role = 600;
export const ROLES: readonly Role[] = [OWNER, ADMINISTRATOR, MODERATOR, MEMBER, GUEST];

/** The values of `chatctl --role`. */
export const ROLE_NAMES: ReadonlyMap<string, Role> = new Map([
  ['owner', OWNER],
  ['administrator', ADMINISTRATOR],
  ['admin', ADMINISTRATOR],
  ['moderator', MODERATOR],
  ['member', MEMBER],
  ['guest', GUEST],
]);

/** `administrator` for 200. */
export function roleName(role: number): string {
  return [...ROLE_NAMES].find(([, value]) => value === role)?.[0] ?? String(role);
}

/** `an administrator`. */
export function withArticle(role: Role): string {
  const name = roleName(role);
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

export const isOwner = (user: Pick<User, 'role'>) => hasRole(user, 'owner');
export const isAdministrator = (user: Pick<User, 'role'>) => hasRole(user, 'administrator');
export const isModerator = (user: Pick<User, 'role'>) => hasRole(user, 'moderator');
/** The address of the account in whose name the software writes. */
export const NOTIFICATION_BOT = 'notification-bot@zulip.com';
/** The address of the bot that posts e-mails from senders without an account. */
export const EMAIL_GATEWAY = 'emailgateway@zulip.com';

const INCOMING_WEBHOOK = 2;

export const isIncomingWebhook = (user: Pick<User, 'bot_type'>) => user.bot_type === INCOMING_WEBHOOK;

interface SystemAccount {
  readonly isSystem?: true;
}

/** The caller for the host's own code: writes as the notification bot and has every permission, whatever the settings. */
export const systemActor = (bot: User): User & SystemAccount => ({
  ...bot,
  role: OWNER,
  can_change_user_emails: true,
  isSystem: true,
});

/** Whether `systemActor` made the account. */
export const isSystem = (account: object): boolean => (account as SystemAccount).isSystem === true;

interface LentAccount {
  readonly isLent?: true;
}

/** The bot, with this user as its owner for one call: it may post where the user may post. */
export const lentTo = (bot: User, ownerId: number): User & LentAccount => ({
  ...bot,
  bot_owner_id: ownerId,
  isLent: true,
});

/** Whether the account comes from `lentTo`. */
export const isLent = (account: object): boolean => (account as LentAccount).isLent === true;

/** What a token that is limited to rooms can see. */
export interface RoomScope {
  /** IDs of the channels that the token names. The caller may have lost access to them. */
  readonly channels: ReadonlySet<number>;
  /** IDs of the users in those that the caller can read, with the caller. */
  readonly users: ReadonlySet<number>;
}

interface LimitedAccount {
  readonly rooms?: RoomScope;
}

/** The caller with a token that is limited to rooms: a guest who sees nothing else. Drafts are not limited to a room. */
export const limitedToRooms = (user: User, rooms: RoomScope): User & LimitedAccount => ({
  ...user,
  role: GUEST,
  settings: { ...user.settings, enable_drafts_synchronization: false },
  rooms,
});

/** Undefined unless `limitedToRooms` made the account. */
export const roomsOf = (account: object): RoomScope | undefined => (account as LimitedAccount).rooms;

/** Whether the rooms of the account, if it is limited to any, include the channel. Direct messages have no channel. */
export const isInRooms = (account: object, channelId: number | null): boolean => {
  const rooms = roomsOf(account);
  return rooms === undefined || (channelId !== null && rooms.channels.has(channelId));
};

/** For records of what an account has created. The host's own code is no user. */
export const creatorId = (actor: User): number | null => (isSystem(actor) ? null : actor.id);

/** Whether an account is the caller's. The owner of a bot has its API key, and can raise its role. */
export const isOwnAccount = (actor: User, userId: number) => userId === (actor.bot_owner_id ?? actor.id);

export const isGuest = (user: Pick<User, 'role'>) => user.role === GUEST;
export const isBot = (user: Pick<User, 'bot_type'>) => user.bot_type !== null;

const LEAST_ROLE = { owner: OWNER, administrator: ADMINISTRATOR, moderator: MODERATOR } as const;

/** Whether the user has this role or a higher one. */
function hasRole(user: Pick<User, 'role'>, role: keyof typeof LEAST_ROLE): boolean {
  const isYes = user.role <= LEAST_ROLE[role];
  traceOf(user)?.({ rule: 'role', role, isYes });
  return isYes;
}

const GROUPS = [
  ['role:nobody', 'Nobody', null],
  ['role:owners', 'Owners of this organization', OWNER],
  ['role:administrators', 'Administrators of this organization, including owners', ADMINISTRATOR],
  ['role:moderators', 'Moderators of this organization, including administrators', MODERATOR],
  ['role:fullmembers', 'Members of this organization, not including new accounts and guests', null],
  ['role:members', 'Members of this organization, not including guests', MEMBER],
  ['role:everyone', 'Everyone in this organization, including guests', GUEST],
  ['role:internet', 'Everyone on the Internet', null],
] as const;

export type SystemGroupName = (typeof GROUPS)[number][0];

/**
 * The groups that every organization has. A new database creates them first, so their IDs are always the same. Their
 * members follow from roles and are not stored. Each group from administrators on contains the group before it.
 */
export const SYSTEM_GROUPS = GROUPS.map(([name, description, role], at) => ({
  id: at + 1,
  name,
  description,
  role,
  subgroup: at > 1 ? at : null,
}));

const SYSTEM_GROUP_IDS = new Map(SYSTEM_GROUPS.map(({ name, id }) => [name, id]));

export function systemGroupId(name: SystemGroupName): number {
  return present(SYSTEM_GROUP_IDS.get(name));
}

export function isSystemGroupId(id: number): boolean {
  return id >= 1 && id <= SYSTEM_GROUPS.length;
}

const SYSTEM_GROUP_LABELS: Readonly<Record<SystemGroupName, string>> = {
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
  return group && SYSTEM_GROUP_LABELS[group.name];
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
