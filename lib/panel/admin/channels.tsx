/** All channels and folders, and one channel: who reads it, who posts, how long messages stay. */
import type { JSX } from 'preact';
import type { ParametersOf, Session } from '../../chat/session.ts';
import { ChannelIcon } from '../app/place-names.tsx';
import { useRouter } from '../app/router.tsx';
import { Section } from '../app/sections.tsx';
import { Button, ErrorText } from '../buttons.tsx';
import { useCell } from '../context.ts';
import { useAdmin } from './admin-words.ts';
import { type Change, changeOf } from './change.tsx';
import { Folders, useFolders } from './channel-folders.tsx';
import { ChangeButton } from './forms.tsx';
import { ChoiceSetting, type SectionProps, SwitchSetting, TextSetting } from './kit.tsx';
import { FilteredList, ItemHeading, Line, OpenItem } from './lines.tsx';
import { stateOf, useLive } from './live.tsx';
import { Members } from './members.tsx';
import { Permissions, useGroups } from './permissions.tsx';
import { RetentionSetting } from './retention.tsx';

type Channel = Awaited<ReturnType<Session['channels']['list']>>['streams'][number];
type ChannelChange = Omit<NonNullable<ParametersOf<'channels.edit'>[0]>, 'stream_id'>;

/** Of the contract: 60 characters of a name, 1,024 of a description. */
const MAX_NAME = 60;
const MAX_DESCRIPTION = 1024;

export function ChannelsSection({ id }: SectionProps): JSX.Element {
  return id === undefined ? <ChannelList /> : <OneChannel id={id} />;
}

function ChannelList(): JSX.Element {
  const { store, words } = useAdmin();
  const { go } = useRouter();
  const folders = useFolders();
  const found = useLive(
    async () =>
      (await store.session.channels.list({ include_all: true, exclude_archived: false, include_default: true }))
        .streams,
    ['stream', 'default_streams'],
  );
  const folderName = (id: number | null) => folders.value?.find((folder) => folder.id === id)?.name;
  return (
    <>
      <div class="admin-actions">
        <Button onClick={() => go({ view: 'new-channel' })}>{words.createChannel}</Button>
      </div>
      <FilteredList
        label={words.channels}
        filter={words.searchChannels}
        found={found}
        nameOf={({ name }) => name}
        isActive={({ is_archived }) => !is_archived}
        others={words.archivedOnes}
        countText={words.channelCount}
        empty={words.noChannelsHere}
      >
        {(channel) => (
          <Line
            key={channel.stream_id}
            lead={<ChannelIcon channel={channel} />}
            name={channel.name}
            to={`channels/${channel.stream_id}`}
            details={[
              words.subscriberCount(channel.subscriber_count),
              folderName(channel.folder_id),
              channel.description,
            ]}
            tags={[Boolean(channel.is_default) && words.defaultTag]}
          />
        )}
      </FilteredList>
      <Folders folders={folders.value ?? []} error={folders.error} />
    </>
  );
}

function OneChannel({ id }: { id: number }): JSX.Element {
  const { store, words } = useAdmin();
  const found = useLive(
    async () => {
      const [{ stream }, { realm_default_streams }] = await Promise.all([
        store.session.channels.get({ stream_id: id }),
        stateOf(store.session, ['default_streams']),
      ]);
      return { ...stream, is_default: realm_default_streams.includes(id) };
    },
    ['stream', 'default_streams'],
    [id],
  );
  const groups = useGroups();
  return (
    <OpenItem
      list="channels"
      label={words.channelsLower}
      found={{ value: found.value, error: found.error ?? groups.error }}
      item={found.value}
    >
      {(channel) => <ChannelPage channel={channel} groups={groups.value ?? []} />}
    </OpenItem>
  );
}

interface ChannelPageProps {
  channel: Channel;
  groups: NonNullable<ReturnType<typeof useGroups>['value']>;
}

function ChannelPage({ channel, groups }: ChannelPageProps): JSX.Element {
  const { words } = useAdmin();
  const edit = (parameters: ChannelChange, question = words.settingQuestion) =>
    changeOf({ operation: 'channels.edit', parameters: { stream_id: channel.stream_id, ...parameters }, question });
  return (
    <>
      <ItemHeading name={`#${channel.name}`}>
        {channel.is_archived && <p class="muted">{words.archived}</p>}
      </ItemHeading>
      <Section title={words.general}>
        <General channel={channel} edit={edit} />
      </Section>
      <Section title={words.channelPermissions}>
        <Permissions
          kind="stream"
          texts={words.channelPermissionTexts}
          values={channel as unknown as Parameters<typeof Permissions>[0]['values']}
          groups={groups}
          change={(permission, update) => edit({ [permission]: update }, words.permissionQuestion)}
        />
      </Section>
      <Section title={words.subscribers}>
        <Subscribers channel={channel} />
      </Section>
      <Section title={words.archive}>
        <Archiving channel={channel} />
      </Section>
    </>
  );
}

interface GeneralProps {
  channel: Channel;
  edit(parameters: ChannelChange, question?: string): Change;
}

function General({ channel, edit }: GeneralProps): JSX.Element {
  const { store, words } = useAdmin();
  const me = useCell(store.me);
  const folders = useFolders();
  return (
    <>
      <TextSetting
        label={words.channelName}
        value={channel.name}
        maxLength={MAX_NAME}
        isRequired
        change={(new_name) => edit({ new_name })}
      />
      <TextSetting
        label={words.channelDescription}
        value={channel.description}
        maxLength={MAX_DESCRIPTION}
        change={(value) => edit({ description: value })}
      />
      <Privacy channel={channel} />
      <SwitchSetting
        label={words.isDefault}
        value={channel.is_default ?? false}
        change={(is_default_stream) => edit({ is_default_stream })}
      />
      <ChoiceSetting
        label={words.folder}
        value={channel.folder_id ?? -1}
        options={[[-1, words.noFolder] as const, ...(folders.value ?? []).map((each) => [each.id, each.name] as const)]}
        change={(folder_id) => edit({ folder_id: folder_id < 0 ? null : folder_id })}
      />
      <ChoiceSetting
        label={words.topicsPolicy}
        value={channel.topics_policy}
        options={Object.entries(words.topicsPolicies)}
        change={(policy) => edit({ topics_policy: policy as 'inherit' })}
      />
      <RetentionSetting
        days={channel.message_retention_days}
        hasDefault
        refusal={!me?.is_owner && words.ownersOnly}
        change={(message_retention_days) => edit({ message_retention_days }, words.retentionQuestion)}
      />
    </>
  );
}

type Kind = 'web-public' | 'public' | 'shared' | 'protected';

const KINDS = {
  'web-public': { is_private: false, is_web_public: true, history_public_to_subscribers: true },
  public: { is_private: false, is_web_public: false, history_public_to_subscribers: true },
  shared: { is_private: true, is_web_public: false, history_public_to_subscribers: true },
  protected: { is_private: true, is_web_public: false, history_public_to_subscribers: false },
} as const;

function kindOf({ is_web_public, invite_only, history_public_to_subscribers }: Channel): Kind {
  if (is_web_public) return 'web-public';
  if (!invite_only) return 'public';
  return history_public_to_subscribers ? 'shared' : 'protected';
}

function Privacy({ channel }: { channel: Channel }): JSX.Element {
  const { store, words } = useAdmin();
  const organization = useCell(store.organization);
  const kind = kindOf(channel);
  const isOffered = organization?.server_web_public_streams_enabled && organization.realm_enable_spectator_access;
  const kinds = (Object.keys(KINDS) as Kind[]).filter((each) => each !== 'web-public' || isOffered || each === kind);
  return (
    <ChoiceSetting
      label={words.channelPrivacy}
      value={kind}
      options={kinds.map((each) => [each, words.privacyKinds[each] ?? each] as const)}
      change={(next) =>
        changeOf({
          operation: 'channels.edit',
          parameters: { stream_id: channel.stream_id, ...KINDS[next] },
          question: words.privacyQuestion(channel.name),
          isAsked: true,
        })
      }
    />
  );
}

function Subscribers({ channel }: { channel: Channel }): JSX.Element {
  const { store, words } = useAdmin();
  const { stream_id, name } = channel;
  const found = useLive(
    async () => (await store.session.channels.subscribers({ stream_id })).subscribers,
    ['subscription'],
    [stream_id, channel.subscriber_count],
  );
  return (
    <>
      <ErrorText action={found} />
      <Members
        label={words.addSubscriber}
        empty={words.noSubscribers}
        ids={found.value}
        mayAdd={!channel.is_archived}
        mayRemove={!channel.is_archived}
        add={({ user_id }) =>
          changeOf({
            operation: 'subscriptions.add',
            parameters: { subscriptions: [{ name }], principals: [user_id] },
            question: words.addSubscriber,
          })
        }
        remove={({ user_id, full_name }) =>
          changeOf({
            operation: 'subscriptions.remove',
            parameters: { subscriptions: [name], principals: [user_id] },
            question: words.unsubscribeQuestion(full_name, name),
            submit: words.unsubscribePerson,
          })
        }
        removeLabel={words.unsubscribePerson}
      />
    </>
  );
}

function Archiving({ channel }: { channel: Channel }): JSX.Element {
  const { words } = useAdmin();
  const { stream_id, name, is_archived } = channel;
  const archiving = changeOf({
    operation: 'channels.archive',
    parameters: { stream_id },
    question: words.archiveChannelQuestion(name),
    isDangerous: true,
  });
  const unarchiving = changeOf({
    operation: 'channels.edit',
    parameters: { stream_id, is_archived: false },
    question: words.unarchiveQuestion(name),
  });
  return (
    <div>
      <ChangeButton
        label={is_archived ? words.unarchive : words.archive}
        change={is_archived ? unarchiving : archiving}
        hint={!is_archived && words.archiveHint}
      />
    </div>
  );
}
