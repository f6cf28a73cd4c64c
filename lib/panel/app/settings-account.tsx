/** Name, picture, language, time zone, password and API key. */

import type { JSX } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { isChatError } from '../../base/chat-error.ts';
import { Button, ErrorText, Form } from '../buttons.tsx';
import { useCell } from '../context.ts';
import { Avatar } from '../messages/avatar.tsx';
import { addStyles } from '../style-sheets.ts';
import { useSettings } from '../words/settings-words.ts';
import { Field } from './controls.tsx';
import { FileButton } from './file-button.tsx';
import { Choice } from './form-controls.tsx';
import { useAction, useSave } from './hooks.ts';
import lists from './lists.css';
import { OwnStatus } from './parts.ts';
import { Section } from './sections.tsx';
import { OwnsPageContext } from './view-header.tsx';

addStyles(lists);

/** Choices besides the current one. */
const LANGUAGES = [
  ...['ar', 'bg', 'ca', 'cs', 'da', 'de', 'en', 'es', 'fa', 'fi', 'fr', 'he', 'hi', 'hu', 'id', 'it', 'ja', 'ko'],
  ...['nl', 'pl', 'pt', 'ro', 'ru', 'sr', 'sv', 'tr', 'uk', 'vi', 'zh-hans', 'zh-hant'],
];

export function AccountSettings(): JSX.Element {
  const { words } = useSettings();
  return (
    <>
      <Section title={words.profile}>
        <Picture />
        <Name />
        <OwnStatus />
      </Section>
      <Section title={words.languageAndTime}>
        <LanguageAndTime />
      </Section>
      <Section title={words.password}>
        <Password />
      </Section>
      <SecondFactor />
      <Section title={words.apiKey}>
        <ApiKey />
      </Section>
    </>
  );
}

function Picture(): JSX.Element {
  const { store, words, announce } = useSettings();
  const me = useCell(store.me);
  const action = useAction();
  const upload = async (file: File) => {
    if (await action.run(() => store.session.avatars.upload({ file }))) announce(words.saved);
  };
  return (
    <div class="picture">
      <span class="picture-large">{me && <Avatar userId={me.user_id} name={me.full_name} url={me.avatar_url} />}</span>
      <FileButton label={words.uploadPicture} isDisabled={action.isRunning} onChoose={upload}>
        {words.uploadPicture}
      </FileButton>
      <Button isDisabled={action.isRunning} onClick={() => action.run(() => store.session.avatars.remove())}>
        {words.removePicture}
      </Button>
      <ErrorText action={action} />
    </div>
  );
}

function Name(): JSX.Element {
  const { store, words } = useSettings();
  const saved = useCell(store.me)?.full_name ?? '';
  const [name, setName] = useState(saved);
  const saving = useSave();
  useEffect(() => setName(saved), [saved]);
  return (
    <Form class="form-line" onSubmit={() => saving.save({ full_name: name.trim() })}>
      <Field label={words.fullName} value={name} onInput={setName} maxLength={100} autocomplete="name" isRequired />
      <Button isSubmit isDisabled={saving.isRunning || name.trim() === saved}>
        {words.save}
      </Button>
      <ErrorText action={saving} />
    </Form>
  );
}

function LanguageAndTime(): JSX.Element {
  const { store, words } = useSettings();
  const settings = useCell(store.settings);
  const saving = useSave();
  const language = settings?.default_language ?? 'en';
  const timeZone = settings?.timezone ?? '';
  const languages = LANGUAGES.includes(language) ? LANGUAGES : [language, ...LANGUAGES];
  return (
    <>
      <Choice
        label={words.language}
        value={language}
        options={languages.map((code) => [code, languageName(code)] as const)}
        onChange={(default_language) => saving.save({ default_language })}
      />
      <Choice
        label={words.timeZone}
        value={timeZone}
        options={[['', words.unknownTimeZone] as const, ...timeZones(timeZone).map((zone) => [zone, zone] as const)]}
        onChange={(timezone) => saving.save({ timezone })}
      />
      <ErrorText action={saving} />
    </>
  );
}

const languageName = (code: string) => new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;

/** All of this browser, and the current one. */
function timeZones(set: string): readonly string[] {
  const known = Intl.supportedValuesOf('timeZone');
  return set === '' || known.includes(set) ? known : [set, ...known];
}

/** For password managers. */
function Username(): JSX.Element {
  const me = useCell(useSettings().store.me);
  return <input hidden readOnly autocomplete="username" value={me?.delivery_email ?? me?.email} />;
}

function Password(): JSX.Element {
  const { words, announce } = useSettings();
  const saving = useSave();
  const [before, setBefore] = useState('');
  const [after, setAfter] = useState('');
  const change = async () => {
    if (!(await saving.save({ old_password: before, new_password: after }))) return;
    setBefore('');
    setAfter('');
    announce(words.passwordChanged);
  };
  return (
    <Form onSubmit={change}>
      <Username />
      <Field
        label={words.oldPassword}
        type="password"
        autocomplete="current-password"
        value={before}
        onInput={setBefore}
      />
      <Field
        label={words.newPassword}
        type="password"
        autocomplete="new-password"
        value={after}
        onInput={setAfter}
        isRequired
      />
      <ErrorText action={saving} />
      <div class="form-actions">
        <Button isSubmit isDisabled={saving.isRunning || after === ''}>
          {words.changePassword}
        </Button>
      </div>
    </Form>
  );
}

/** Only where the server has the login: other hosts have their own. */
function SecondFactor(): JSX.Element | null {
  const { site, words, hidden } = useSettings();
  if (!useContext(OwnsPageContext) || hidden.has('sign-out')) return null;
  return (
    <Section title={words.secondFactor}>
      <a href={`${site}/accounts/second-factor`}>{words.changeSecondFactor}</a>
    </Section>
  );
}

/** The key appears after the password, until the user leaves the view. */
function ApiKey(): JSX.Element {
  const { store, words } = useSettings();
  const me = useCell(store.me);
  const [password, setPassword] = useState('');
  /** Undefined until the server asks for it. */
  const [code, setCode] = useState<string>();
  const [key, setKey] = useState<string>();
  const action = useAction();
  const show = () =>
    action.run(async () => {
      const username = me?.delivery_email ?? me?.email ?? '';
      const given = { username, password, ...(code === undefined ? {} : { code }) };
      const { api_key } = await store.session.fetchApiKey(given).catch((error: unknown) => {
        if (isChatError(error, 'SECOND_FACTOR_NEEDED')) setCode('');
        throw error;
      });
      setKey(api_key);
      setPassword('');
    });
  if (key !== undefined) return <Field label={words.apiKey} value={key} onInput={() => {}} isReadonly />;
  return (
    <Form class="form-line" onSubmit={show}>
      <Username />
      <Field
        label={words.password}
        type="password"
        autocomplete="current-password"
        hint={words.apiKeyHint}
        value={password}
        onInput={setPassword}
        isRequired
      />
      {code !== undefined && (
        <Field label={words.code} autocomplete="one-time-code" value={code} onInput={setCode} isRequired />
      )}
      <Button isSubmit isDisabled={action.isRunning || password === ''}>
        {words.showApiKey}
      </Button>
      <ErrorText action={action} />
    </Form>
  );
}
