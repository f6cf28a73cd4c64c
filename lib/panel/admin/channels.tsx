/** All channels and folders, and one channel: who reads it, who posts, how long messages stay. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ParametersOf, Session } from '../../chat/session.ts';
import { plainLetters } from '../../rules/plain-letters.ts';
import { useDebounced } from '../app/hooks.ts';
import { ChannelIcon } from '../app/place-names.tsx';
import { useRouter } from '../app/router.tsx';
import { Section } from '../app/sections.tsx';
import { Button, ErrorText } from '../buttons.tsx';
import { useCell } from '../context.ts';
import { useAdmin } from './admin-words.ts';
import { changeOf, useChange } from './change.tsx';
import { Folders, useFolders } from './channel-folders.tsx';
import { ChoiceSetting, Input, type SectionProps, SelectField, SwitchSetting, TextSetting } from './kit.tsx';
import { BackLink, Line, List } from './lines.tsx';
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
  const { store, words, formats } = useAdmin();
  const { go } = useRouter();
  const [query, setQuery] = useState('');
  const [status, setStatus] = useState<'active' | 'archived'>('active');
  const text = plainLetters(useDebounced(query.trim()));
  const folders = useFolders();
  const found = useLive(
    async () => {
      const { streams } = await store.session.channels.list({
        include_all: true,
        exclude_archived: false,
        include_default: true,
      });
      const byName = new Intl.Collator(formats.lang, { numeric: true });
      return streams.sort((a, b) => byName.compare(a.name, b.name));
    },
    ['stream', 'default_streams'],
    [formats],
  );
  const shown = useMemo(
    () =>
      found.value?.filter(
        ({ name, is_archived }) => is_archived === (status === 'archived') && plainLetters(name).includes(text),
      ),
    [found.value, status, text],
  );
  const folderName = (id: number | null) => folders.value?.find((folder) => folder.id === id)?.name;
  return (
    <>
      <Input label={words.searchChannels} type="search" value={query} onInput={setQuery} maxLength={100} />
      <div class="admin-filters">
        <SelectField
          label={words.accountStatus}
          value={status}
          options={[
            ['active', words.active],
            ['archived', words.archivedOnes],
          ]}
          onChange={(value) => setStatus(value as 'active')}
        />
      </div>
      <div class="admin-actions">
        <Button onClick={() => go({ view: 'new-channel' })}>{words.createChannel}</Button>
      </div>
      <ErrorText action={found} />
      {shown && (
        <p class="muted" role="status">
          {words.channelCount(shown.length)}
        </p>
      )}
      <List key={`${text} ${status}`} label={words.channels} items={shown} empty={words.noChannelsHere}>
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
      </List>
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
  const channel = found.value;
  return (
    <>
      <BackLink to="channels" label={words.backTo(words.channelsLower)} />
      <ErrorText action={{ error: found.error ?? groups.error }} />
      {channel && <ChannelPage channel={channel} groups={groups.value ?? []} />}
    </>
  );
}

interface ChannelPageProps {
  channel: Channel;
  groups: NonNullable<ReturnType<typeof useGroups>['value']>;
}

function ChannelPage({ channel, groups }: ChannelPageProps): JSX.Element {
  const { store, words } = useAdmin();
  const { stream_id, name, description, is_archived } = channel;
  const me = useCell(store.me);
  const folders = useFolders();
  const edit = (parameters: ChannelChange, question = words.settingQuestion) =>
    changeOf({ operation: 'channels.edit', parameters: { stream_id, ...parameters }, question });
  return (
    <>
      <h2 class="profile-name">
        <bdi>#{name}</bdi>
      </h2>
      {is_archived && <p class="muted">{words.archived}</p>}
      <Section title={words.general}>
        <TextSetting
          label={words.channelName}
          value={name}
          maxLength={MAX_NAME}
          isRequired
          change={(new_name) => edit({ new_name })}
        />
        <TextSetting
          label={words.channelDescription}
          value={description}
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
          options={[
            [-1, words.noFolder] as const,
            ...(folders.value ?? []).map((each) => [each.id, each.name] as const),
          ]}
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
  const change = useChange();
  const { stream_id, name, is_archived } = channel;
  const archiving = changeOf({
    operation: 'channels.archive',
    parameters: { stream_id },
    question: words.archiveChannelQuestion(name),
    submit: words.archive,
    isAsked: true,
    isDangerous: true,
  });
  const unarchiving = changeOf({
    operation: 'channels.edit',
    parameters: { stream_id, is_archived: false },
    question: words.unarchiveQuestion(name),
    submit: words.unarchive,
    isAsked: true,
  });
  return (
    <div>
      <Button
        kind={is_archived ? undefined : 'danger'}
        isDisabled={change.isRunning}
        onClick={() => change.propose(is_archived ? unarchiving : archiving)}
      >
        {is_archived ? words.unarchive : words.archive}
      </Button>
      {!is_archived && <p class="field-hint">{words.archiveHint}</p>}
      <ErrorText action={change} />
    </div>
  );
}
