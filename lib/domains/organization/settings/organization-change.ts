import { accessChannel } from '../../../access/channels.ts';
import type { AccountContext } from '../../../kernel/context.ts';
import { UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import type { StoredEvent } from '../../../kernel/event.ts';

import { organizationName } from '../../../rules/names.ts';
import {
  type OrganizationSettings,
  organizationPermission,
  organizationSetting,
} from '../../../rules/organization-settings.ts';
import { ORGANIZATION_PERMISSIONS, type OrganizationPermission } from '../../../rules/permission-settings.ts';
import { isOwner } from '../../../rules/roles.ts';
import type { GroupSettingValue, Organization } from '../../../storage/storage.ts';
import { updatedGroupSetting } from '../../user-groups/group-setting-value.ts';
import { fullMembersChanged } from './full-members.ts';

/** What is asked for, by the names of the wire. */
export interface WantedChange {
  name?: string | undefined;
  description?: string | undefined;
  [key: string]: unknown;
}

/** What differs from the present, checked; nothing has been written. */
export interface OrganizationChange {
  name?: string;
  description?: string;
  settings: Partial<OrganizationSettings>;
  permissions: Partial<Record<OrganizationPermission, GroupSettingValue>>;
}

/** Settings only owners decide about, asked for or changed. */
const FOR_OWNERS: readonly string[] = ['waiting_period_threshold'];

export async function plannedOrganizationChange(
  context: AccountContext,
  wanted: WantedChange,
): Promise<OrganizationChange> {
  const { actor, organization } = context;
  if (!isOwner(actor) && FOR_OWNERS.some((key) => wanted[key] !== undefined)) {
    throw new UnauthorizedPrincipal('an organization owner');
  }
  const { name: title, description, ...others } = wanted;
  const change: OrganizationChange = { settings: {}, permissions: {} };
  const name = title === undefined ? organization.name : organizationName(title);
  if (name !== organization.name) change.name = name;
  if (description !== undefined && description !== organization.description) change.description = description;
  for (const [key, value] of Object.entries(others)) {
    if (Object.hasOwn(ORGANIZATION_PERMISSIONS, key)) {
      const permission = key as OrganizationPermission;
      const current = organizationPermission(organization, permission);
      const update = value as { new: GroupSettingValue; old?: GroupSettingValue };
      const setting = ORGANIZATION_PERMISSIONS[permission];
      const changed = await updatedGroupSetting(context, permission, update, current, setting);
      if (changed !== undefined) change.permissions[permission] = changed;
    } else {
      const stored = await storedSetting(context, key, value);
      if (stored !== organizationSetting(organization, key as keyof OrganizationSettings)) {
        Object.assign(change.settings, { [key]: stored });
      }
    }
  }
  return change;
}

/** A setting as it is kept: null for no limit and for no channel. */
async function storedSetting(context: AccountContext, key: string, value: unknown): Promise<unknown> {
  if (value === 'unlimited') return null;
  if (key !== 'new_stream_announcements_stream_id') return value;
  const id = value as number;
  if (id < 0) return null;
  return (await accessChannel(context, context.actor, id)).channel.id;
}

export async function applyOrganizationChange(context: AccountContext, change: OrganizationChange): Promise<void> {
  const { tx, organization, emit } = context;
  const { name, description, settings, permissions } = change;
  const events: StoredEvent[] = [];
  if (name !== undefined) events.push(updated('name', name));
  if (description !== undefined) events.push(updated('description', description));
  for (const [key, value] of Object.entries(settings)) events.push(settingEvent(key, value));
  const after: Organization = { ...organization, settings: { ...organization.settings, ...settings, ...permissions } };
  // Whoever is named has just been found active, so the value is shown as it is stored.
  for (const [key, value] of Object.entries(permissions)) events.push(updatedDict({ [key]: value }));
  if (events.length === 0) return;
  await tx.organization.update({
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    settings: after.settings,
  });
  for (const event of events) emit({ audience: { scope: 'everyone' }, event });
  if (settings.waiting_period_threshold !== undefined) await fullMembersChanged(context, organization, after);
}

/** Some are told in a dictionary, for the sake of clients that know them so. */
function settingEvent(key: string, value: unknown): StoredEvent {
  switch (key) {
    case 'allow_message_editing':
    case 'message_content_edit_limit_seconds':
      return updatedDict({ [key]: value });
    case 'topics_policy':
      return updatedDict({ topics_policy: value, mandatory_topics: value === 'disable_empty_topic' });
    case 'new_stream_announcements_stream_id':
      return updated(key, value ?? -1);
    default:
      return updated(key, value);
  }
}

const updated = (property: string, value: unknown): StoredEvent => ({ type: 'realm', op: 'update', property, value });

const updatedDict = (data: Record<string, unknown>): StoredEvent => ({
  type: 'realm',
  op: 'update_dict',
  property: 'default',
  data,
});
