/** The organization: profile, pictures, settings, and permissions in sentences. */
import type { JSX } from 'preact';
import { Section } from '../app/sections.tsx';
import { ErrorText } from '../buttons.tsx';
import { useCell } from '../context.ts';
import { type AdminWords, useAdmin } from './admin-words.ts';
import type { Change } from './change.tsx';
import { ChoiceSetting, TextSetting } from './kit.tsx';
import { useLive } from './live.tsx';
import { OrganizationSwitch, type SettingsProps, useOrganizationChange } from './organization-settings.tsx';
import { Permissions, permissionsIn, useGroups } from './permissions.tsx';
import { Pictures } from './pictures.tsx';
import { RetentionSetting } from './retention.tsx';

export function OrganizationSection(): JSX.Element | null {
  const { store, words } = useAdmin();
  const organization = useCell(store.organization);
  const groups = useGroups();
  const { edit, ownersOnly } = useOrganizationChange();
  if (!organization) return null;
  const props = { organization, ownersOnly, edit };
  return (
    <>
      <Section title={words.organizationProfile}>
        <Profile {...props} />
      </Section>
      <Section title={words.pictures}>
        <Pictures />
      </Section>
      <Section title={words.permissions}>
        <ErrorText action={groups} />
        {groups.value && (
          <Permissions
            kind="realm"
            texts={words.permissionTexts}
            values={permissionsIn(organization, words.permissionTexts)}
            groups={groups.value}
            change={(name, update) => edit({ [name]: update }, words.permissionQuestion)}
          />
        )}
      </Section>
      <Section title={words.peopleSettings}>
        <PeopleSettings {...props} />
      </Section>
      <Section title={words.messages}>
        <MessageSettings {...props} />
      </Section>
      <Section title={words.channelsAndNotices}>
        <ChannelSettings {...props} />
      </Section>
      <Section title={words.notificationSettings}>
        <OrganizationSwitch name="message_content_allowed_in_email_notifications" label={words.textInMail} />
        <OrganizationSwitch name="require_e2ee_push_notifications" label={words.encryptedPushOnly} />
      </Section>
    </>
  );
}

function Profile({ organization, edit }: SettingsProps): JSX.Element {
  const { words } = useAdmin();
  return (
    <>
      <TextSetting
        label={words.organizationName}
        value={organization.realm_name}
        maxLength={40}
        isRequired
        change={(name) => edit({ name })}
      />
      <TextSetting
        label={words.organizationDescription}
        hint={words.organizationDescriptionHint}
        value={organization.realm_description}
        maxLength={1000}
        isMultiline
        change={(description) => edit({ description })}
      />
    </>
  );
}

function PeopleSettings({ organization, edit }: SettingsProps): JSX.Element {
  const { words } = useAdmin();
  return (
    <>
      <OrganizationSwitch name="require_unique_names" label={words.uniqueNames} />
      <OrganizationSwitch name="name_changes_disabled" label={words.lockNames} />
      <OrganizationSwitch name="email_changes_disabled" label={words.lockAddresses} />
      <OrganizationSwitch name="avatar_changes_disabled" label={words.lockAvatars} />
      <ChoiceSetting
        label={words.defaultAvatars}
        value={organization.realm_default_avatar_source}
        options={Object.entries(words.defaultAvatarKinds)}
        change={(source) => edit({ default_avatar_source: source as 'J' })}
      />
      <OrganizationSwitch name="presence_disabled" label={words.presenceHidden} />
    </>
  );
}

type LimitName =
  | 'message_content_edit_limit_seconds'
  | 'message_content_delete_limit_seconds'
  | 'move_messages_within_stream_limit_seconds'
  | 'move_messages_between_streams_limit_seconds';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const LIMITS = [2 * MINUTE, 10 * MINUTE, HOUR, DAY, 7 * DAY, 30 * DAY];
const UNLIMITED = 0;

function MessageSettings({ organization, ownersOnly, edit }: SettingsProps): JSX.Element {
  const { words } = useAdmin();
  const limit = (label: string, name: LimitName) => (
    <TimeLimit label={label} seconds={organization[`realm_${name}`]} change={(value) => edit({ [name]: value })} />
  );
  return (
    <>
      <OrganizationSwitch name="allow_message_editing" label={words.allowEditing} />
      {limit(words.editLimit, 'message_content_edit_limit_seconds')}
      {limit(words.deleteLimit, 'message_content_delete_limit_seconds')}
      {limit(words.moveTopicLimit, 'move_messages_within_stream_limit_seconds')}
      {limit(words.moveChannelLimit, 'move_messages_between_streams_limit_seconds')}
      <ChoiceSetting
        label={words.history}
        value={organization.realm_message_edit_history_visibility_policy}
        options={Object.entries(words.histories)}
        change={(policy) => edit({ message_edit_history_visibility_policy: policy as 'all' })}
      />
      <ChoiceSetting<string>
        label={words.organizationTopics}
        value={organization.realm_topics_policy}
        options={(['allow_empty_topic', 'disable_empty_topic'] as const).map(
          (policy) => [policy, words.topicsPolicies[policy] ?? policy] as const,
        )}
        change={(policy) => edit({ topics_policy: policy as 'allow_empty_topic' })}
      />
      <OrganizationSwitch name="enable_read_receipts" label={words.readReceiptsAllowed} />
      <TextSetting
        label={words.codeLanguage}
        hint={words.codeLanguageHint}
        value={organization.realm_default_code_block_language}
        maxLength={40}
        change={(language) => edit({ default_code_block_language: language })}
      />
      <RetentionSetting
        days={organization.realm_message_retention_days}
        refusal={ownersOnly}
        change={(days) => edit({ message_retention_days: days === 'realm_default' ? 'unlimited' : days })}
      />
    </>
  );
}

interface TimeLimitProps {
  label: string;
  /** Null: none. */
  seconds: number | null;
  change(value: number | 'unlimited'): Change;
}

function TimeLimit({ label, seconds, change }: TimeLimitProps): JSX.Element {
  const { words } = useAdmin();
  const known = seconds === null || LIMITS.includes(seconds) ? LIMITS : [...LIMITS, seconds].sort((a, b) => a - b);
  return (
    <ChoiceSetting
      label={label}
      value={seconds ?? UNLIMITED}
      options={[[UNLIMITED, words.unlimited] as const, ...known.map((each) => [each, timeText(each, words)] as const)]}
      change={(value) => change(value === UNLIMITED ? 'unlimited' : value)}
    />
  );
}

function timeText(seconds: number, words: AdminWords): string {
  if (seconds % DAY === 0) return words.days(seconds / DAY);
  if (seconds % HOUR === 0) return words.hours(seconds / HOUR);
  return words.minutes(Math.round(seconds / MINUTE));
}

function ChannelSettings({ organization, edit }: SettingsProps): JSX.Element {
  const { store, words } = useAdmin();
  const found = useLive(async () => (await store.session.channels.list()).streams, ['stream']);
  const channels = found.value ?? [];
  const choices = (isPrivate: boolean | undefined, current: number) => [
    [-1, words.noChannel] as const,
    ...channels
      .filter(
        ({ invite_only, stream_id }) => isPrivate === undefined || invite_only === isPrivate || stream_id === current,
      )
      .map(({ stream_id, name }) => [stream_id, `#${name}`] as const),
    ...(current >= 0 && !channels.some(({ stream_id }) => stream_id === current)
      ? [[current, `#${current}`] as const]
      : []),
  ];
  const announces = organization.realm_new_stream_announcements_stream_id;
  const reports = organization.realm_moderation_request_channel_id;
  return (
    <>
      <ErrorText action={found} />
      <ChoiceSetting
        label={words.announceChannel}
        value={announces}
        options={choices(undefined, announces)}
        change={(id) => edit({ new_stream_announcements_stream_id: id })}
      />
      <ChoiceSetting
        label={words.reportChannel}
        value={reports}
        options={choices(true, reports)}
        change={(id) => edit({ moderation_request_channel_id: id })}
      />
      <OrganizationSwitch name="send_channel_events_messages" label={words.channelNotices} />
      {organization.server_web_public_streams_enabled && (
        <OrganizationSwitch name="enable_spectator_access" label={words.spectators} />
      )}
    </>
  );
}
