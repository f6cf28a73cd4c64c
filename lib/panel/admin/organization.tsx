/** The organization: profile, pictures, settings, and permissions in sentences. */
import type { JSX } from 'preact';
import type { ParametersOf } from '../../chat/session.ts';
import type { Organization } from '../../client/store/types.ts';
import { Section } from '../app/sections.tsx';
import { ErrorText } from '../buttons.tsx';
import { useCell } from '../context.ts';
import { type AdminWords, useAdmin } from './admin-words.ts';
import { type Change, changeOf } from './change.tsx';
import { ChoiceSetting, SwitchSetting, TextSetting } from './kit.tsx';
import { useLive } from './live.tsx';
import { Permissions, permissionsIn, useGroups } from './permissions.tsx';
import { Pictures } from './pictures.tsx';
import { RetentionSetting } from './retention.tsx';

type OrganizationChange = NonNullable<ParametersOf<'organization.edit'>[0]>;

interface SettingsProps {
  organization: Organization;
  /** Why the user cannot change what only owners can. */
  ownersOnly: string | false;
  edit(parameters: OrganizationChange): Change;
}

export function OrganizationSection(): JSX.Element | null {
  const { store, words } = useAdmin();
  const organization = useCell(store.organization);
  const me = useCell(store.me);
  const groups = useGroups();
  if (!organization) return null;
  const ownersOnly = !me?.is_owner && words.ownersOnly;
  const edit = (parameters: OrganizationChange, question = words.settingQuestion) =>
    changeOf({ operation: 'organization.edit', parameters, question });
  const props = { organization, ownersOnly, edit };
  return (
    <>
      <Section title={words.organizationProfile}>
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
        <SwitchSetting
          label={words.textInMail}
          value={organization.realm_message_content_allowed_in_email_notifications}
          change={(isOn) => edit({ message_content_allowed_in_email_notifications: isOn })}
        />
        <SwitchSetting
          label={words.encryptedPushOnly}
          value={organization.realm_require_e2ee_push_notifications}
          change={(isOn) => edit({ require_e2ee_push_notifications: isOn })}
        />
      </Section>
    </>
  );
}

function PeopleSettings({ organization, edit }: SettingsProps): JSX.Element {
  const { words } = useAdmin();
  return (
    <>
      <SwitchSetting
        label={words.uniqueNames}
        value={organization.realm_require_unique_names}
        change={(isOn) => edit({ require_unique_names: isOn })}
      />
      <SwitchSetting
        label={words.lockNames}
        value={organization.realm_name_changes_disabled}
        change={(isOn) => edit({ name_changes_disabled: isOn })}
      />
      <SwitchSetting
        label={words.lockAddresses}
        value={organization.realm_email_changes_disabled}
        change={(isOn) => edit({ email_changes_disabled: isOn })}
      />
      <SwitchSetting
        label={words.lockAvatars}
        value={organization.realm_avatar_changes_disabled}
        change={(isOn) => edit({ avatar_changes_disabled: isOn })}
      />
      <ChoiceSetting
        label={words.defaultAvatars}
        value={organization.realm_default_avatar_source}
        options={Object.entries(words.defaultAvatarKinds)}
        change={(source) => edit({ default_avatar_source: source as 'J' })}
      />
      <SwitchSetting
        label={words.presenceHidden}
        value={organization.realm_presence_disabled}
        change={(isOn) => edit({ presence_disabled: isOn })}
      />
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
      <SwitchSetting
        label={words.allowEditing}
        value={organization.realm_allow_message_editing}
        change={(isOn) => edit({ allow_message_editing: isOn })}
      />
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
      <ChoiceSetting
        label={words.organizationTopics}
        value={organization.realm_topics_policy as string}
        options={(['allow_empty_topic', 'disable_empty_topic'] as const).map(
          (policy) => [policy as string, words.topicsPolicies[policy] ?? policy] as const,
        )}
        change={(policy) => edit({ topics_policy: policy as 'allow_empty_topic' })}
      />
      <SwitchSetting
        label={words.readReceiptsAllowed}
        value={organization.realm_enable_read_receipts}
        change={(isOn) => edit({ enable_read_receipts: isOn })}
      />
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
      <SwitchSetting
        label={words.channelNotices}
        value={organization.realm_send_channel_events_messages}
        change={(isOn) => edit({ send_channel_events_messages: isOn })}
      />
      {organization.server_web_public_streams_enabled && (
        <SwitchSetting
          label={words.spectators}
          value={organization.realm_enable_spectator_access}
          change={(isOn) => edit({ enable_spectator_access: isOn })}
        />
      )}
    </>
  );
}
