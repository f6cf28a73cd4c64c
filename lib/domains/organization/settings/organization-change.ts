import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../../base/errors.ts';
import { type DeclaredEvent, defineEvent } from '../../../events/define-event.ts';
import type { GroupSettingValue } from '../../../model/groups.ts';
import type { Organization } from '../../../model/organization.ts';
import { checkedName } from '../../../rules/names.ts';
import {
  type OrganizationSettings,
  organizationPermission,
  organizationSetting,
  ROLES_BY_SETTING,
} from '../../../rules/organization-settings.ts';
import { ORGANIZATION_PERMISSIONS, type OrganizationPermission } from '../../../rules/permission-settings.ts';
import { isDirectMember, roleGroups } from '../../../rules/permissions.ts';
import { GUEST, isOwner, OWNER, systemGroupId } from '../../../rules/roles.ts';
import { administratorIds } from '../../../viewer/audiences.ts';
import { checkConfirmed } from '../../../viewer/confirmation.ts';
import type { AccountContext, WriteContext } from '../../../viewer/context.ts';
import { startOver } from '../../../viewer/user-visibility.ts';
import { groupMembersAdded, groupMembersRemoved } from '../../../views/shared-events.ts';
import { updatedGroupSetting } from '../group-setting-value.ts';

export const organizationUpdated = defineEvent('realm/update', {
  summary: 'A setting of the organization changed.',
  inRooms: () => true,
  fields: { property: v.string(), value: v.unknown() },
});

export const organizationUpdatedDict = defineEvent('realm/update_dict', {
  summary: 'Settings of the organization changed. Contains the new values by name.',
  inRooms: () => true,
  fields: { property: v.picklist(['default', 'icon', 'logo', 'night_logo']), data: v.record(v.string(), v.unknown()) },
});

/** Runs the retention job after a retention time has changed, because messages may have expired. */
export async function lookForExpiredMessages({ tx, now, afterCommit, services }: WriteContext): Promise<void> {
  await tx.retention.setDue(now);
  afterCommit(() => services.rearm());
}

type OrganizationParams = Record<string, unknown> & { name?: string | undefined; description?: string | undefined };

/** In code points. */
const MAX_NAME_LENGTH = 40;

/** Only owners can pass these, even with the current value. */
const FOR_OWNERS: readonly string[] = [
  'can_invite_users_group',
  'create_multiuse_invite_group',
  'emails_restricted_to_domains',
  'message_retention_days',
  'password_login',
  'waiting_period_threshold',
];

/** Only administrators can see these. */
const FOR_ADMINISTRATORS: readonly string[] = ['max_invites', 'welcome_message_custom_text'];

/** Returns what changed. Texts, which can be long, are `updated`. */
export async function changeOrganization(context: AccountContext, wanted: OrganizationParams) {
  const { tx, actor, organization, emit } = context;
  if (!isOwner(actor) && FOR_OWNERS.some((key) => wanted[key] !== undefined)) {
    throw new UnauthorizedPrincipal('an organization owner');
  }
  const { name: title, description = organization.description, ...others } = wanted;
  const name = title === undefined ? organization.name : organizationName(title);
  const columns = {
    ...(name === organization.name ? {} : { name }),
    ...(description === organization.description ? {} : { description }),
  };
  const settings = await changedSettings(context, others);
  const changed = Object.entries({ ...columns, ...settings });
  if (changed.length === 0) return {};
  await checkProtection(context, settings);
  const after = { ...organization, settings: { ...organization.settings, ...settings } };
  await tx.organization.update({ ...columns, settings: after.settings });
  const isAnyHidden = changed.some(([key]) => FOR_ADMINISTRATORS.includes(key));
  const administrators = { users: isAnyHidden ? await administratorIds(context) : [] };
  for (const [key, value] of changed) {
    emit(
      FOR_ADMINISTRATORS.includes(key) ? administrators : { scope: 'everyone' },
      settingUpdated(context, key, value),
    );
  }
  if (settings.message_retention_days !== undefined) await lookForExpiredMessages(context);
  // The set of users that guests see is completely different.
  if (settings.can_access_all_users_group !== undefined) await startOver(context, await tx.users.activeIds([GUEST]));
  if (settings.waiting_period_threshold !== undefined) await emitFullMembers(context, organization, after);
  return Object.fromEntries(
    changed.map(([key, value]) => [key, typeof value === 'string' ? 'updated' : shownValue(key, value)]),
  );
}

/** Without a code, a stolen API key could turn off the second factor that protects other accounts. */
async function checkProtection(
  context: AccountContext,
  { password_login, second_factor_required_for: wanted }: Partial<OrganizationSettings>,
): Promise<void> {
  const present = organizationSetting(context.organization, 'second_factor_required_for');
  const isWeaker = wanted !== undefined && ROLES_BY_SETTING[wanted] < ROLES_BY_SETTING[present];
  if (isWeaker || password_login === false) await checkConfirmed(context, OWNER);
}

async function changedSettings(context: AccountContext, given: Record<string, unknown>) {
  const { organization } = context;
  const settings: Partial<OrganizationSettings & Record<OrganizationPermission, GroupSettingValue>> = {};
  for (const [key, value] of Object.entries(given)) {
    if (isPermission(key)) {
      const update = value as { new: GroupSettingValue; old?: GroupSettingValue };
      const current = organizationPermission(organization, key);
      const changed = await updatedGroupSetting(context, key, update, {
        current,
        setting: ORGANIZATION_PERMISSIONS[key],
      });
      if (changed !== undefined) settings[key] = changed;
    } else {
      const stored = await storedSetting(context, key, value);
      if (stored !== organizationSetting(organization, key as keyof OrganizationSettings)) {
        Object.assign(settings, { [key]: stored });
      }
    }
  }
  return settings;
}

export const organizationName = (given: string) => checkedName('The name of an organization', given, MAX_NAME_LENGTH);

/** A setting as it is stored: null for no limit and for no channel, but -1 for unlimited days. */
async function storedSetting(context: AccountContext, key: string, value: unknown): Promise<unknown> {
  if (value === 'unlimited') return key === 'message_retention_days' ? -1 : null;
  // Without an allowed domain, no user could join.
  const isRestricted = key === 'emails_restricted_to_domains' && value === true;
  if (isRestricted && organizationSetting(context.organization, 'allowed_domains').length === 0) {
    throw new BadRequest('The list of allowed domains is empty. Add a domain first (POST /realm/domains).');
  }
  if (!isChannelSetting(key)) return value;
  const id = value as number;
  if (id < 0) return null;
  const { channel } = await context.viewer.channel(id);
  if (key === 'moderation_request_channel_id' && !channel.invite_only)
    throw new BadRequest('The channel for reported messages must be private.');
  return channel.id;
}

const isChannelSetting = (key: string) =>
  key === 'new_stream_announcements_stream_id' || key === 'moderation_request_channel_id';

const isPermission = (key: string): key is OrganizationPermission => Object.hasOwn(ORGANIZATION_PERMISSIONS, key);

const shownValue = (key: string, value: unknown) => (isChannelSetting(key) ? (value ?? -1) : value);

/** Clients expect some settings in `update_dict` events. */
function settingUpdated({ services }: WriteContext, property: string, value: unknown): DeclaredEvent {
  // All users in the value are active: updatedGroupSetting() has just checked it. So no user has to be hidden.
  if (isPermission(property)) return updatedDict({ [property]: value });
  switch (property) {
    case 'allow_message_editing':
    case 'message_content_edit_limit_seconds':
      return updatedDict({ [property]: value });
    case 'password_login': {
      const password_auth_enabled = value === true || services.options.directory !== undefined;
      return updatedDict({ email_auth_enabled: value, password_auth_enabled });
    }
    case 'topics_policy':
      return updatedDict({ topics_policy: value, mandatory_topics: value === 'disable_empty_topic' });
    default:
      return organizationUpdated({ property, value: shownValue(property, value) });
  }
}

const updatedDict = (data: Record<string, unknown>) => organizationUpdatedDict({ property: 'default', data });

/** Sends the events for users who become or stop being full members because of a new waiting period. */
async function emitFullMembers({ tx, now, emit }: WriteContext, before: Organization, after: Organization) {
  const group_id = systemGroupId('role:fullmembers');
  const joined: number[] = [];
  const left: number[] = [];
  const ends = [before, after].map((organization) => roleGroups(organization, now).full.joined_by_ms);
  // Only these users can be affected.
  for (const user of await tx.users.joinedBetween(Math.min(...ends), Math.max(...ends))) {
    const [was, is] = [isDirectMember(group_id, user, before, now), isDirectMember(group_id, user, after, now)];
    if (is && !was) joined.push(user.id);
    if (was && !is) left.push(user.id);
  }
  const members = (user_ids: number[]) => ({ group_id, user_ids: user_ids.sort((a, b) => a - b) });
  if (left.length > 0) emit({ scope: 'everyone' }, groupMembersRemoved(members(left)));
  if (joined.length > 0) emit({ scope: 'everyone' }, groupMembersAdded(members(joined)));
}
