import * as v from 'valibot';
import { describe, falseByDefault, flag, forPrograms, optional, text, type ValuesOf } from '../base/schemas.ts';
import { defineEvent } from '../events/define-event.ts';
import type { Organization } from '../model/organization.ts';
import type { EmailVisibility, Role, User, UserStatus } from '../model/users.ts';
import { PLACEHOLDER_DOMAIN } from '../rules/names.ts';
import { ADMINISTRATOR, isAdministrator, isBot, isGuest, isOwner, MEMBER, MODERATOR } from '../rules/roles.ts';
import { avatarUrl, onSite, UNKNOWN_AVATAR } from './avatars.ts';
import { externalIdFor } from './external-ids.ts';

export const profileValue = v.object({
  value: describe(v.string(), 'A string; also for a list of users, such as `[7,9]`.'),
  rendered_value: optional(v.string(), 'HTML. Only for fields with Markdown.'),
});

export type ProfileValue = v.InferOutput<typeof profileValue>;

export const userObject = v.object({
  user_id: v.number(),
  delivery_email: describe(v.nullable(v.string()), 'Real e-mail address; null if the caller cannot see it.'),
  email: describe(v.string(), 'API e-mail address: the real address, or a placeholder that works only in the API.'),
  full_name: v.string(),
  date_joined: describe(v.string(), 'ISO 8601.'),
  is_active: v.boolean(),
  is_owner: v.boolean(),
  is_admin: v.boolean(),
  is_guest: v.boolean(),
  is_bot: v.boolean(),
  bot_type: describe(
    v.nullable(v.number()),
    'null: a person; 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded.',
  ),
  bot_owner_id: v.nullable(v.number()),
  role: describe(v.number(), '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.'),
  timezone: describe(v.optional(v.string()), 'IANA time zone; can be empty. Absent for callers without an account.'),
  avatar_url: v.nullable(v.string()),
  avatar_version: v.number(),
  profile_data: optional(
    v.record(v.string(), profileValue),
    'Values by the ID of the custom profile field. Absent for bots.',
  ),
  is_system_bot: v.optional(v.boolean()),
});

export type UserObject = v.InferOutput<typeof userObject>;

/** The user who sees the account; undefined: a caller without an account. */
export type Viewer = Pick<User, 'id' | 'role'> | undefined;

export const userViewParams = {
  client_gravatar: optional(
    forPrograms(flag),
    'Return null as `avatar_url` of Gravatar avatars. The client then computes the URL.',
    true,
  ),
  include_custom_profile_fields: falseByDefault('Include `profile_data`.'),
};

export type UserViewOptions = ValuesOf<typeof userViewParams>;

/** Whether a role can see addresses with this visibility. Users always see their own address. */
export function roleSeesEmail(visibility: EmailVisibility, role: Role | undefined): boolean {
  if (role === undefined) return false;
  switch (visibility) {
    case 1:
      return true;
    case 2:
      return role <= MEMBER;
    case 3:
      return role <= ADMINISTRATOR;
    case 4:
      return false;
    case 5:
      return role <= MODERATOR;
  }
}

export function seesEmail(user: User, viewer: Viewer): boolean {
  if (isBot(user)) return true;
  return viewer !== undefined && (viewer.id === user.id || roleSeesEmail(user.email_visibility, viewer.role));
}

export function apiEmail(user: User, organization: Organization): string {
  return user.email_visibility === 1 || isBot(user) ? user.delivery_email : placeholderEmail(user.id, organization);
}

export function placeholderEmail(userId: number, organization: Organization): string {
  const { host } = organization;
  return `user${userId}@${/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(host) ? host : PLACEHOLDER_DOMAIN}`;
}

/** ISO 8601 with offset and microseconds, as the reference server writes it. */
const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString().replace('Z', '000+00:00');

/** Who gets a view. A context of an operation is one. */
interface Asker {
  readonly actor: Viewer;
  readonly organization: Organization;
}

/** An account as the asker sees it. */
export function userView(
  { actor: viewer, organization }: Asker,
  user: User,
  { include_external_ids = false, ...options }: UserViewOptions & { include_external_ids?: boolean },
): UserObject & { external_id?: string } {
  const visible = seesEmail(user, viewer);
  const hasGravatar = user.avatar_source === 'G';
  return {
    user_id: user.id,
    delivery_email: visible ? user.delivery_email : null,
    // Callers without an account never see real addresses.
    email:
      viewer === undefined && !isBot(user) ? placeholderEmail(user.id, organization) : apiEmail(user, organization),
    full_name: user.full_name,
    date_joined: viewer === undefined ? isoTime(user.joined_ms).slice(0, 10) : isoTime(user.joined_ms),
    is_active: user.is_active,
    is_owner: isOwner(user),
    is_admin: isAdministrator(user),
    is_guest: isGuest(user),
    is_bot: isBot(user),
    bot_type: user.bot_type,
    bot_owner_id: user.bot_owner_id,
    role: user.role,
    ...(viewer === undefined ? {} : { timezone: user.timezone }),
    avatar_url: options.client_gravatar && hasGravatar && visible ? null : avatarUrl(user, organization),
    avatar_version: user.avatar_version,
    ...(options.include_custom_profile_fields && !isBot(user) ? { profile_data: profileData(user, organization) } : {}),
    ...(user.is_system_bot ? { is_system_bot: true } : {}),
    ...externalIdFor(viewer, { include_external_ids }, user),
  };
}

/** Replaces the name of a user that the reader cannot see. */
export const UNKNOWN_NAME = 'Unknown user';

/** The placeholder for a user that a restricted guest cannot see. */
export function unknownUserView(
  { organization }: Pick<Asker, 'organization'>,
  user: Pick<User, 'id'>,
  options: UserViewOptions,
): UserObject {
  return {
    user_id: user.id,
    delivery_email: null,
    email: placeholderEmail(user.id, organization),
    full_name: UNKNOWN_NAME,
    date_joined: isoTime(0),
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    role: MEMBER,
    timezone: '',
    avatar_url: onSite(UNKNOWN_AVATAR, organization),
    avatar_version: 1,
    ...(options.include_custom_profile_fields ? { profile_data: {} } : {}),
  };
}

export type ProfileData = Record<string, ProfileValue>;

export function profileData(
  user: Pick<User, 'profile_data'>,
  { profile_fields }: Pick<Organization, 'profile_fields'>,
): ProfileData {
  if (user.profile_data === '{}' || profile_fields.length === 0) return {};
  return JSON.parse(user.profile_data) as ProfileData;
}

const fields = {
  away: optional(v.boolean(), 'Legacy: whether presence is turned off.'),
  status_text: optional(v.string(), 'Empty: the text was removed.'),
  emoji_name: optional(v.string(), 'Empty, like emoji_code: the emoji was removed.'),
  emoji_code: v.optional(v.string()),
  reaction_type: v.optional(v.string()),
};

/** A status. Absent parts are not set. */
export const statusObject = v.object(fields);
export type StatusObject = v.InferOutput<typeof statusObject>;

export const userStatusChanged = defineEvent('user_status', {
  summary: 'The status of a user changed, or the reader can see it now. Contains the changed parts.',
  fields: { user_id: describe(v.number(), 'ID of the user.'), ...fields },
});

export const NO_EMOJI = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' };
/** Sent for a status that is not set or that the reader can no longer see. */
export const NO_STATUS = { status_text: '', ...NO_EMOJI };

/** A status in the API; undefined if it is empty. */
export function statusView(user: Pick<User, 'settings'>, status: UserStatus | undefined): StatusObject | undefined {
  const { status_text, emoji_name, emoji_code, reaction_type } = status ?? NO_STATUS;
  const view: StatusObject = {
    ...(isAway(user) ? { away: true } : {}),
    ...(status_text === '' ? {} : { status_text }),
    ...(emoji_name === '' ? {} : { emoji_name, emoji_code, reaction_type }),
  };
  return Object.keys(view).length === 0 ? undefined : view;
}

export const isAway = ({ settings }: Pick<User, 'settings'>) => settings.presence_enabled === false;

/** In code points. The address is part of the URL, and escaping can make it several times longer. */
const MAX_ADDRESS = 320;

export const apiAddress = describe(text(MAX_ADDRESS), 'Real or placeholder e-mail address.');
