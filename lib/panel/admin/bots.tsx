/** All bots, and one of them: key, webhook addresses, activation. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { InitialState, ParametersOf } from '../../chat/session.ts';
import { useAction } from '../app/hooks.ts';
import { LinkField } from '../app/invitations.tsx';
import { useRouter } from '../app/router.tsx';
import { Section } from '../app/sections.tsx';
import { Button, ErrorText } from '../buttons.tsx';
import { useCell, usePeople } from '../context.ts';
import { Avatar } from '../messages/avatar.tsx';
import { useAdmin } from './admin-words.ts';
import { callOf, changeOf, useConfirmed } from './change.tsx';
import { Activation, ChangeButton, CreateForm, OpenForm } from './forms.tsx';
import { ChoiceSetting, Input, type SectionProps, SelectField, TextSetting } from './kit.tsx';
import { AccountHeading, FilteredList, Line, OpenItem } from './lines.tsx';
import { stateOf, useLive } from './live.tsx';

type Bot = InitialState<'realm_bot'>['realm_bots'][number];
type BotChange = Omit<NonNullable<ParametersOf<'bots.edit'>[0]>, 'bot_id'>;

const [GENERIC, INCOMING, OUTGOING] = [1, 2, 3] as const;
const NAMED_AT_ONCE = 100;

export function BotsSection({ id }: SectionProps): JSX.Element {
  return id === undefined ? <BotList /> : <OneBot id={id} />;
}

function useBots() {
  const { store } = useAdmin();
  return useLive(async () => (await stateOf(store.session, ['realm_bot'])).realm_bots, ['realm_bot']);
}

function BotList(): JSX.Element {
  const { words } = useAdmin();
  const found = useBots();
  const owners = usePeople(
    [...new Set((found.value ?? []).flatMap(({ owner_id }) => owner_id ?? []))].slice(0, NAMED_AT_ONCE),
  );
  const ownerOf = ({ owner_id }: Bot) => owners.find((person) => person?.user_id === owner_id)?.full_name;
  return (
    <>
      <OpenForm label={words.newBot}>{(close) => <NewBot onClose={close} />}</OpenForm>
      <FilteredList
        label={words.bots}
        filter={words.filter}
        found={found}
        nameOf={({ full_name }) => full_name}
        textOf={({ full_name, email }) => `${full_name} ${email}`}
        isActive={({ is_active }) => is_active}
        others={words.deactivatedOnes}
        countText={words.botCount}
        empty={words.noBots}
      >
        {(bot) => {
          const owner = ownerOf(bot);
          return (
            <Line
              key={bot.user_id}
              lead={<Avatar userId={bot.user_id} name={bot.full_name} url={bot.avatar_url} />}
              name={bot.full_name}
              to={`bots/${bot.user_id}`}
              details={[bot.email, owner && words.ownedBy(owner)]}
              tags={[words.botTypes[bot.bot_type] ?? '']}
            />
          );
        }}
      </FilteredList>
    </>
  );
}

function NewBot({ onClose }: { onClose(): void }): JSX.Element {
  const { store, words } = useAdmin();
  const { go } = useRouter();
  const [name, setName] = useState('');
  const [shortName, setShortName] = useState('');
  const [type, setType] = useState<1 | 2 | 3>(GENERIC);
  const [url, setUrl] = useState('');
  const domain = useCell(store.organization)?.realm_bot_domain ?? '';
  const create = async () => {
    const { user_id } = await store.session.bots.create({
      full_name: name.trim(),
      short_name: shortName.trim(),
      bot_type: type,
      ...(type === OUTGOING && { payload_url: url.trim() }),
    });
    go({ view: 'administration', path: `bots/${user_id}` });
  };
  return (
    <CreateForm create={create} onCancel={onClose}>
      <SelectField
        label={words.botType}
        value={type}
        options={([GENERIC, INCOMING, OUTGOING] as const).map(
          (each) => [each, words.botTypeMeanings[each] ?? ''] as const,
        )}
        onChange={(value) => setType(value as 1)}
      />
      <Input label={words.personName} value={name} onInput={setName} maxLength={100} isRequired />
      <Input
        label={words.botShortName}
        hint={words.botAddress(shortName.trim() || '…', domain)}
        value={shortName}
        onInput={setShortName}
        maxLength={100}
        isRequired
      />
      {type === OUTGOING && (
        <Input label={words.payloadUrl} type="url" value={url} onInput={setUrl} maxLength={2000} isRequired />
      )}
    </CreateForm>
  );
}

function OneBot({ id }: { id: number }): JSX.Element {
  const { words } = useAdmin();
  const found = useBots();
  return (
    <OpenItem
      list="bots"
      label={words.botsLower}
      found={found}
      item={found.value?.find(({ user_id }) => user_id === id)}
    >
      {(bot) => <BotPage bot={bot} />}
    </OpenItem>
  );
}

function BotPage({ bot }: { bot: Bot }): JSX.Element {
  const { words } = useAdmin();
  const { user_id, full_name, email, bot_type, owner_id, is_active, avatar_url } = bot;
  const [owner] = usePeople(owner_id === null ? [] : [owner_id]);
  /** Grows when the key is replaced: addresses with the old one no longer work. */
  const [keyVersion, setKeyVersion] = useState(0);
  const facts = [
    words.botTypes[bot_type],
    owner && words.ownedBy(owner.full_name),
    !is_active && words.deactivatedTag,
  ].filter(Boolean);
  return (
    <>
      <AccountHeading userId={user_id} name={full_name} url={avatar_url} details={[email, facts.join(' · ')]} />
      <Section title={words.general}>
        <BotSettings bot={bot} />
      </Section>
      {is_active && bot_type === INCOMING && (
        <Section title={words.webhookUrl}>
          <WebhookUrl key={keyVersion} botId={user_id} />
        </Section>
      )}
      {is_active && (
        <Section title={words.apiKeyOfBot}>
          <ApiKey bot={bot} onReplaced={() => setKeyVersion(keyVersion + 1)} />
        </Section>
      )}
      <Section title={words.account}>
        <Activation
          name={full_name}
          isActive={is_active}
          deactivation={callOf('bots.deactivate', { bot_id: user_id })}
          reactivation={callOf('bots.edit', { bot_id: user_id, is_active: true })}
        />
      </Section>
    </>
  );
}

function BotSettings({ bot: { user_id, full_name, services } }: { bot: Bot }): JSX.Element {
  const { words } = useAdmin();
  const [service] = services;
  const edit = (parameters: BotChange) =>
    changeOf({
      operation: 'bots.edit',
      parameters: { bot_id: user_id, ...parameters },
      question: words.settingQuestion,
    });
  return (
    <>
      <TextSetting
        label={words.personName}
        value={full_name}
        maxLength={100}
        isRequired
        change={(value) => edit({ full_name: value })}
      />
      {service && (
        <>
          <TextSetting
            label={words.payloadUrl}
            type="url"
            value={service.base_url}
            maxLength={2000}
            isRequired
            change={(value) => edit({ service_payload_url: value })}
          />
          <ChoiceSetting
            label={words.payloadFormat}
            value={service.interface}
            options={[
              [1, 'JSON'],
              [2, 'Slack'],
            ]}
            change={(value) => edit({ service_interface: value as 1 })}
          />
        </>
      )}
    </>
  );
}

const FORMATS = ['slack_incoming', 'github', 'json'] as const;

/** The address contains the key, so it appears on demand. */
function WebhookUrl({ botId }: { botId: number }): JSX.Element {
  const { store, words } = useAdmin();
  const organization = useCell(store.organization);
  const channels = useLive(async () => (await store.session.channels.list()).streams, ['stream']);
  const [format, setFormat] = useState<string>(FORMATS[0]);
  const [channel, setChannel] = useState(-1);
  const [topic, setTopic] = useState('');
  const [key, setKey] = useState<string>();
  const action = useAction();
  const confirmed = useConfirmed();
  const show = async () =>
    setKey((await confirmed((code) => store.session.bots.getApiKey({ bot_id: botId, ...code }))).api_key);
  const query = new URLSearchParams({
    api_key: key ?? '',
    ...(channel >= 0 && { channel: String(channel) }),
    ...(channel >= 0 && topic.trim() !== '' && { topic: topic.trim() }),
  });
  const address = `${organization?.realm_url.replace(/\/+$/, '')}/api/v1/external/${format}?${query}`;
  return (
    <>
      <SelectField<string>
        label={words.webhookFormat}
        value={format}
        options={FORMATS.map((each) => [each, words.webhookFormats[each] ?? each] as const)}
        onChange={(value) => setFormat(String(value))}
      />
      <SelectField
        label={words.webhookChannel}
        value={channel}
        options={[
          [-1, words.webhookToOwner] as const,
          ...(channels.value ?? []).map(({ stream_id, name }) => [stream_id, `#${name}`] as const),
        ]}
        onChange={(value) => setChannel(Number(value))}
      />
      {channel >= 0 && (
        <Input
          label={words.webhookTopic}
          hint={words.webhookTopicHint}
          value={topic}
          onInput={setTopic}
          maxLength={60}
        />
      )}
      <ErrorText action={{ error: action.error ?? channels.error }} />
      {key === undefined ? (
        <div class="admin-actions">
          <Button isDisabled={action.isRunning} onClick={() => action.run(show)}>
            {words.showUrl}
          </Button>
        </div>
      ) : (
        <LinkField label={words.webhookUrl} link={address} />
      )}
      <p class="field-hint">{words.webhookUrlHint}</p>
    </>
  );
}

function ApiKey({ bot, onReplaced }: { bot: Bot; onReplaced(): void }): JSX.Element {
  const { store, words } = useAdmin();
  const [key, setKey] = useState<string>();
  const showing = useAction();
  const confirmed = useConfirmed();
  const show = async () =>
    setKey((await confirmed((code) => store.session.bots.getApiKey({ bot_id: bot.user_id, ...code }))).api_key);
  return (
    <>
      {key !== undefined && <LinkField label={words.apiKeyOfBot} link={key} />}
      <div class="admin-actions">
        {key === undefined && (
          <Button isDisabled={showing.isRunning} onClick={() => showing.run(show)}>
            {words.showKey}
          </Button>
        )}
        <ChangeButton
          label={words.replaceKey}
          change={changeOf({
            operation: 'bots.regenerateApiKey',
            parameters: { bot_id: bot.user_id },
            question: words.replaceKeyQuestion(bot.full_name),
            isDangerous: true,
          })}
          onDone={() => {
            setKey(undefined);
            onReplaced();
          }}
        />
      </div>
      <p class="field-hint">{words.keyHint}</p>
      <ErrorText action={showing} />
    </>
  );
}
