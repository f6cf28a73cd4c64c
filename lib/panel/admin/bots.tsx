/** All bots, and one of them: key, webhook addresses, activation. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { InitialState, ParametersOf } from '../../chat/session.ts';
import { plainLetters } from '../../rules/plain-letters.ts';
import { useAction, useDebounced } from '../app/hooks.ts';
import { LinkField } from '../app/invitations.tsx';
import { useRouter } from '../app/router.tsx';
import { Section } from '../app/sections.tsx';
import { Button, ErrorText, Form } from '../buttons.tsx';
import { useCell, usePeople } from '../context.ts';
import { Avatar } from '../messages/avatar.tsx';
import { useAdmin } from './admin-words.ts';
import { changeOf, useChange } from './change.tsx';
import { ChoiceSetting, Input, type SectionProps, SelectField, TextSetting } from './kit.tsx';
import { BackLink, Line, List } from './lines.tsx';
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
  const { words, formats } = useAdmin();
  const found = useBots();
  const [query, setQuery] = useState('');
  const [status, setStatus] = useState<'active' | 'deactivated'>('active');
  const text = plainLetters(useDebounced(query.trim()));
  const shown = useMemo(() => {
    const byName = new Intl.Collator(formats.lang, { numeric: true });
    return found.value
      ?.filter(
        ({ full_name, email, is_active }) =>
          is_active === (status === 'active') && plainLetters(`${full_name} ${email}`).includes(text),
      )
      .sort((a, b) => byName.compare(a.full_name, b.full_name));
  }, [found.value, status, text, formats]);
  const owners = usePeople(
    [...new Set((shown ?? []).flatMap(({ owner_id }) => owner_id ?? []))].slice(0, NAMED_AT_ONCE),
  );
  const ownerOf = ({ owner_id }: Bot) => owners.find((person) => person?.user_id === owner_id)?.full_name;
  return (
    <>
      <NewBot />
      <Input label={words.filter} type="search" value={query} onInput={setQuery} maxLength={100} />
      <div class="admin-filters">
        <SelectField
          label={words.accountStatus}
          value={status}
          options={[
            ['active', words.active],
            ['deactivated', words.deactivatedOnes],
          ]}
          onChange={(value) => setStatus(value as 'active')}
        />
      </div>
      <ErrorText action={found} />
      <List key={`${text} ${status}`} label={words.bots} items={shown} empty={words.noBots}>
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
      </List>
    </>
  );
}

function NewBot(): JSX.Element {
  const { store, words } = useAdmin();
  const { go } = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [shortName, setShortName] = useState('');
  const [type, setType] = useState<1 | 2 | 3>(GENERIC);
  const [url, setUrl] = useState('');
  const action = useAction();
  const domain = useCell(store.organization)?.realm_bot_domain ?? '';
  const create = () =>
    action.run(async () => {
      const { user_id } = await store.session.bots.create({
        full_name: name.trim(),
        short_name: shortName.trim(),
        bot_type: type,
        ...(type === OUTGOING && { payload_url: url.trim() }),
      });
      go({ view: 'administration', path: `bots/${user_id}` });
    });
  if (!isOpen)
    return (
      <div class="admin-actions">
        <Button onClick={() => setOpen(true)}>{words.newBot}</Button>
      </div>
    );
  return (
    <Form class="admin-form" onSubmit={create}>
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
      <ErrorText action={action} />
      <div class="admin-actions">
        <Button kind="primary" isSubmit isDisabled={action.isRunning}>
          {words.create}
        </Button>
        <Button onClick={() => setOpen(false)}>{words.cancel}</Button>
      </div>
    </Form>
  );
}

function OneBot({ id }: { id: number }): JSX.Element {
  const { words } = useAdmin();
  const found = useBots();
  const bot = found.value?.find(({ user_id }) => user_id === id);
  return (
    <>
      <BackLink to="bots" label={words.backTo(words.botsLower)} />
      <ErrorText action={found} />
      {found.value && !bot && <p class="muted">{words.gone}</p>}
      {bot && <BotPage bot={bot} />}
    </>
  );
}

function BotPage({ bot }: { bot: Bot }): JSX.Element {
  const { words } = useAdmin();
  const { user_id, full_name, email, bot_type, owner_id, is_active, services, avatar_url } = bot;
  const [owner] = usePeople(owner_id === null ? [] : [owner_id]);
  const edit = (parameters: BotChange) =>
    changeOf({
      operation: 'bots.edit',
      parameters: { bot_id: user_id, ...parameters },
      question: words.settingQuestion,
    });
  const [service] = services;
  /** Grows when the key is replaced: addresses with the old one no longer work. */
  const [keyVersion, setKeyVersion] = useState(0);
  return (
    <>
      <div class="profile">
        <span class="picture-large">
          <Avatar userId={user_id} name={full_name} url={avatar_url} />
        </span>
        <div>
          <h2 class="profile-name">
            <bdi>{full_name}</bdi>
          </h2>
          <p class="muted">{email}</p>
          <p class="muted">
            {[words.botTypes[bot_type], owner && words.ownedBy(owner.full_name), !is_active && words.deactivatedTag]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
      </div>
      <Section title={words.general}>
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
      </Section>
      {is_active && (
        <>
          {bot_type === INCOMING && (
            <Section title={words.webhookUrl}>
              <WebhookUrl key={keyVersion} botId={user_id} />
            </Section>
          )}
          <Section title={words.apiKeyOfBot}>
            <ApiKey bot={bot} onReplaced={() => setKeyVersion(keyVersion + 1)} />
          </Section>
        </>
      )}
      <Section title={words.account}>
        <Activation bot={bot} />
      </Section>
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
  const show = async () => setKey((await store.session.bots.getApiKey({ bot_id: botId })).api_key);
  const query = new URLSearchParams({
    api_key: key ?? '',
    ...(channel >= 0 && { channel: String(channel) }),
    ...(channel >= 0 && topic.trim() !== '' && { topic: topic.trim() }),
  });
  const address = `${organization?.realm_url.replace(/\/+$/, '')}/api/v1/external/${format}?${query}`;
  return (
    <>
      <SelectField
        label={words.webhookFormat}
        value={format}
        options={FORMATS.map((each) => [each as string, words.webhookFormats[each] ?? each] as const)}
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
  const change = useChange();
  const show = async () => setKey((await store.session.bots.getApiKey({ bot_id: bot.user_id })).api_key);
  const replace = async () => {
    const isReplaced = await change.propose(
      changeOf({
        operation: 'bots.regenerateApiKey',
        parameters: { bot_id: bot.user_id },
        question: words.replaceKeyQuestion(bot.full_name),
        submit: words.replaceKey,
        isAsked: true,
        isDangerous: true,
      }),
    );
    if (!isReplaced) return;
    setKey(undefined);
    onReplaced();
  };
  return (
    <>
      {key !== undefined && <LinkField label={words.apiKeyOfBot} link={key} />}
      <div class="admin-actions">
        {key === undefined && (
          <Button isDisabled={showing.isRunning} onClick={() => showing.run(show)}>
            {words.showKey}
          </Button>
        )}
        <Button isDisabled={change.isRunning} onClick={replace}>
          {words.replaceKey}
        </Button>
      </div>
      <p class="field-hint">{words.keyHint}</p>
      <ErrorText action={{ error: showing.error ?? change.error }} />
    </>
  );
}

function Activation({ bot }: { bot: Bot }): JSX.Element {
  const { words } = useAdmin();
  const change = useChange();
  const { user_id, full_name, is_active } = bot;
  const deactivation = changeOf({
    operation: 'bots.deactivate',
    parameters: { bot_id: user_id },
    question: words.deactivateQuestion(full_name),
    submit: words.deactivate,
    isAsked: true,
    isDangerous: true,
  });
  const reactivation = changeOf({
    operation: 'bots.edit',
    parameters: { bot_id: user_id, is_active: true },
    question: words.reactivateQuestion(full_name),
    submit: words.reactivate,
    isAsked: true,
  });
  return (
    <div>
      <Button
        kind={is_active ? 'danger' : undefined}
        isDisabled={change.isRunning}
        onClick={() => change.propose(is_active ? deactivation : reactivation)}
      >
        {is_active ? words.deactivate : words.reactivate}
      </Button>
      <ErrorText action={change} />
    </div>
  );
}
