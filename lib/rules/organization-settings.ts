import type { GroupSettingValue } from '../storage/interface/groups.ts';
import type { Organization } from '../storage/interface/organization.ts';
import { ORGANIZATION_PERMISSIONS, type OrganizationPermission } from './permission-settings.ts';
import { type SystemGroupName, systemGroupId } from './system-groups.ts';

/** Settings of the organization that are not permissions, with what they are until something else is stored. */
export const ORGANIZATION_DEFAULTS = {
  invite_required: true,
  waiting_period_threshold: 0,
  presence_disabled: false,
  topics_policy: 'allow_empty_topic' as 'allow_empty_topic' | 'disable_empty_topic',
  message_edit_history_visibility_policy: 'all' as 'all' | 'moves' | 'none',
  allow_message_editing: true,
  message_content_edit_limit_seconds: 600 as number | null,
  message_content_delete_limit_seconds: 600 as number | null,
  move_messages_within_stream_limit_seconds: 604_800 as number | null,
  move_messages_between_streams_limit_seconds: 604_800 as number | null,
  message_retention_days: -1,
  enable_read_receipts: false,
  enable_spectator_access: false,
  require_unique_names: false,
  name_changes_disabled: false,
  email_changes_disabled: false,
  avatar_changes_disabled: false,
  emails_restricted_to_domains: false,
  disallow_disposable_email_addresses: true,
  send_welcome_emails: true,
  welcome_message_custom_text: '',
  new_stream_announcements_stream_id: null as number | null,
  signup_announcements_stream_id: null as number | null,
  max_invites: 100,
  password_login: true,
  send_channel_events_messages: true,
  require_e2ee_push_notifications: false,
  default_code_block_language: '',
  empty_topic_display_name: 'general chat',
  /** Personal settings that new accounts begin with, where they differ from what they are otherwise. */
  user_settings_defaults: {} as Readonly<Record<string, unknown>>,
};

export type OrganizationSettings = typeof ORGANIZATION_DEFAULTS;

export function organizationSetting<K extends keyof OrganizationSettings>(
  organization: Organization,
  key: K,
): OrganizationSettings[K] {
  const stored = organization.settings[key];
  return stored === undefined ? ORGANIZATION_DEFAULTS[key] : (stored as OrganizationSettings[K]);
}

/** Who holds a permission of the organization: its default where none is stored. */
export function organizationPermission(organization: Organization, key: OrganizationPermission): GroupSettingValue {
  const stored = organization.settings[key] as GroupSettingValue | undefined;
  return stored ?? systemGroupId(ORGANIZATION_PERMISSIONS[key].default as SystemGroupName);
}
