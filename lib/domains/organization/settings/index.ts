import { keysOf } from '../../../base/keys.ts';
import { emojiData } from '../../../markdown/inline/emoji.ts';
import type { GroupSettingValue } from '../../../model/groups.ts';
import type { Organization, OrganizationPicture } from '../../../model/organization.ts';
import { defineFeature } from '../../../operation/feature.ts';
import { EXTERNAL_ACCOUNTS } from '../../../rules/external-accounts.ts';
import {
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
  MAX_FOLDER_DESCRIPTION_LENGTH,
  MAX_FOLDER_NAME_LENGTH,
  MAX_MESSAGE_LENGTH,
  MAX_REMINDER_NOTE_LENGTH,
  MAX_TOPIC_LENGTH,
} from '../../../rules/names.ts';
import {
  FIXED_STATE,
  ORGANIZATION_DEFAULTS,
  type OrganizationSettings,
  organizationPermission,
  organizationSetting,
  REPORT_TYPES,
} from '../../../rules/organization-settings.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../rules/passwords.ts';
import {
  CHANNEL_PERMISSIONS,
  GROUP_PERMISSIONS,
  ORGANIZATION_PERMISSION_NAMES,
  ORGANIZATION_PERMISSIONS,
  type OrganizationPermission,
  type PermissionSetting,
} from '../../../rules/permission-settings.ts';
import { OFFLINE_THRESHOLD_SECONDS, PING_INTERVAL_SECONDS } from '../../../rules/presence.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import { THUMBNAILS } from '../../../rules/uploads.ts';
import { inactiveUserIds } from '../../../viewer/audiences.ts';
import type { AccountContext, Snapshot } from '../../../viewer/context.ts';
import { organizationPicture } from '../../../views/organization-pictures.ts';
import { groupSettingView } from '../group-setting-value.ts';
import { auditOrganization } from './audit.ts';
import { listAuditLog } from './audit-log.ts';
import { editOrganization } from './edit.ts';
import { organizationUpdated, organizationUpdatedDict } from './organization-change.ts';

async function organizationState({ context }: Snapshot) {
  return {
    ...permissionValues(context.organization, await inactiveUserIds(context)),
    ...organizationValues(context),
    ...serverValues(context),
  };
}

function permissionValues(organization: Organization, inactive: ReadonlySet<number>) {
  const values = {} as Record<`realm_${OrganizationPermission}`, GroupSettingValue>;
  for (const key of ORGANIZATION_PERMISSION_NAMES) {
    values[`realm_${key}`] = groupSettingView(organizationPermission(organization, key), inactive);
  }
  return values;
}

/** Without settings that have another name, are in another part of the state, or are only for administrators. */
const {
  allowed_domains,
  audience,
  max_invites,
  mirror_locks,
  password_login,
  pictures,
  user_settings_defaults,
  welcome_message_custom_text,
  ...SHOWN_SETTINGS
} = ORGANIZATION_DEFAULTS;

function settingValues(organization: Organization) {
  const keys = keysOf(SHOWN_SETTINGS);
  return Object.fromEntries(keys.map((key) => [`realm_${key}`, organizationSetting(organization, key)])) as {
    [K in keyof typeof SHOWN_SETTINGS as `realm_${K}`]: OrganizationSettings[K];
  };
}

function organizationValues({ organization, actor, services }: AccountContext) {
  const { baseUrl, uploadQuotaMebibytes } = services.options;
  const get = <K extends keyof OrganizationSettings>(key: K) => organizationSetting(organization, key);
  const picture = (kind: OrganizationPicture) => organizationPicture(organization, kind, baseUrl);
  const [icon, logo, nightLogo] = [picture('icon'), picture('logo'), picture('night_logo')];
  return {
    ...settingValues(organization),
    ...FIXED_STATE,
    realm_name: organization.name,
    realm_description: organization.description,
    realm_url: baseUrl,
    realm_uri: baseUrl,
    realm_host: new URL(baseUrl).host,
    realm_date_created: Math.floor(organization.created_ms / 1000),
    realm_icon_url: icon.url,
    realm_icon_source: icon.source,
    realm_logo_url: logo.url,
    realm_logo_source: logo.source,
    realm_night_logo_url: nightLogo.url,
    realm_night_logo_source: nightLogo.source,
    realm_bot_domain: organization.host,
    realm_is_zephyr_mirror_realm: false,
    realm_plan_type: 1,
    realm_password_auth_enabled: get('password_login') || services.options.directory !== undefined,
    realm_email_auth_enabled: get('password_login'),
    realm_allow_edit_history: get('message_edit_history_visibility_policy') !== 'none',
    realm_mandatory_topics: get('topics_policy') === 'disable_empty_topic',
    ...(isAdministrator(actor)
      ? {
          realm_welcome_message_custom_text: get('welcome_message_custom_text'),
          realm_max_invites: get('max_invites'),
        }
      : {}),
    realm_push_notifications_enabled: services.options.pushRelay !== undefined && get('push_notifications_enabled'),
    realm_new_stream_announcements_stream_id: get('new_stream_announcements_stream_id') ?? -1,
    realm_moderation_request_channel_id: get('moderation_request_channel_id') ?? -1,
    realm_default_external_accounts: EXTERNAL_ACCOUNTS,
    realm_wildcard_mention_policy: 5,
    realm_available_video_chat_providers: {},
    realm_upload_quota_mib: uploadQuotaMebibytes,
  };
}

function serverValues({ organization, services, now }: AccountContext) {
  const { options } = services;
  const { baseUrl, uploadQuotaMebibytes: uploadQuota } = options;
  return {
    server_presence_ping_interval_seconds: PING_INTERVAL_SECONDS,
    server_presence_offline_threshold_seconds: OFFLINE_THRESHOLD_SECONDS,
    server_typing_started_expiry_period_milliseconds: 15_000,
    server_typing_stopped_wait_period_milliseconds: 5_000,
    server_typing_started_wait_period_milliseconds: 10_000,
    server_min_deactivated_realm_deletion_days: 14,
    server_max_deactivated_realm_deletion_days: null,
    server_timestamp: Math.floor(now / 1000),
    server_generation: Math.floor(organization.created_ms / 1000),
    server_inline_image_preview: true,
    server_inline_url_embed_preview: options.linkPreviews !== undefined,
    server_avatar_changes_disabled: false,
    server_name_changes_disabled: false,
    server_needs_upgrade: false,
    server_web_public_streams_enabled: options.webPublicChannels,
    // Any version is served at this path, so that a process of another version can answer too.
    server_emoji_data_url: `${baseUrl}/static/emoji.json?v=${emojiData().version}`,
    server_thumbnail_formats: THUMBNAIL_FORMATS,
    server_jitsi_server_url: null,
    zulip_plan_is_not_limited: true,
    upgrade_text_for_wide_organization_logo: '',
    giphy_rating_options: { disabled: { id: 0, name: 'GIFs are disabled' } },
    server_can_summarize_topics: false,
    server_report_message_types: Object.entries(REPORT_TYPES).map(([key, name]) => ({ key, name })),
    server_supported_permission_settings: {
      realm: supported(ORGANIZATION_PERMISSIONS),
      stream: supported(CHANNEL_PERMISSIONS),
      group: supported(GROUP_PERMISSIONS),
    },
    // Clients time out after this, so it must be longer than a long poll.
    event_queue_longpoll_timeout_seconds: options.heartbeatSeconds + 40,
    max_message_length: MAX_MESSAGE_LENGTH,
    max_topic_length: MAX_TOPIC_LENGTH,
    max_stream_name_length: MAX_CHANNEL_NAME_LENGTH,
    max_stream_description_length: MAX_CHANNEL_DESCRIPTION_LENGTH,
    max_channel_folder_name_length: MAX_FOLDER_NAME_LENGTH,
    max_channel_folder_description_length: MAX_FOLDER_DESCRIPTION_LENGTH,
    max_reminder_note_length: MAX_REMINDER_NOTE_LENGTH,
    max_bulk_new_subscription_messages: 100,
    max_file_upload_size_mib: options.files ? options.maxUploadMebibytes : 0,
    max_avatar_file_size_mib: 5,
    max_icon_file_size_mib: 5,
    max_logo_file_size_mib: 5,
    password_min_length: MIN_PASSWORD_LENGTH,
    password_max_length: MAX_PASSWORD_LENGTH,
    password_min_guesses: 0,
    settings_send_digest_emails: options.mail !== undefined && options.notifications.email,
    upload_quota: uploadQuota === null ? null : uploadQuota * 1024 * 1024,
    development_environment: options.development,
    jitsi_server_url: null,
    giphy_api_key: '',
    tenor_api_key: '',
  };
}

const THUMBNAIL_FORMATS = Object.entries(THUMBNAILS).map(([name, { width, height, isAnimated }]) => ({
  name,
  max_width: width,
  max_height: height,
  format: 'webp',
  animated: isAnimated,
}));

function supported(settings: Record<string, PermissionSetting>) {
  return Object.fromEntries(
    Object.entries(settings).map(([key, setting]) => [
      key,
      {
        require_system_group: setting.only !== undefined,
        allow_internet_group: false,
        allow_nobody_group: setting.nobody,
        allow_everyone_group: setting.everyone,
        default_group_name: setting.default === 'creator' ? 'stream_creator_or_nobody' : setting.default,
        default_for_system_groups: null,
        allowed_system_groups: setting.only ?? [],
      },
    ]),
  );
}

/** The name, settings and permissions of the organization. */
export const organizationSettings = defineFeature({
  operations: [editOrganization, auditOrganization, listAuditLog],
  events: [organizationUpdated, organizationUpdatedDict],
  initialState: { realm: organizationState },
});
