/** The settings that new accounts start with, in the sections of own settings. */
import type { JSX } from 'preact';
import type { InitialState, ParametersOf } from '../../chat/session.ts';
import { Section } from '../app/sections.tsx';
import { SWITCHES } from '../app/setting-switches.ts';
import { ErrorText } from '../buttons.tsx';
import { withWords } from '../context.ts';
import { SETTINGS_WORDS } from '../words/settings-words.ts';
import { useAdmin } from './admin-words.ts';
import { changeOf } from './change.tsx';
import { ChoiceSetting, SwitchSetting } from './kit.tsx';
import { stateOf, useLive } from './live.tsx';

const useSettingWords = withWords(SETTINGS_WORDS);

type Defaults = InitialState<'realm_user_settings_defaults'>['realm_user_settings_defaults'];
type DefaultsChange = NonNullable<ParametersOf<'userSettingsDefaults.edit'>[0]>;

interface DefaultsProps {
  defaults: Defaults;
}

export function NewAccountsSection(): JSX.Element {
  const { store, words } = useAdmin();
  const { words: settingWords } = useSettingWords();
  const found = useLive(
    async () => (await stateOf(store.session, ['realm_user_settings_defaults'])).realm_user_settings_defaults,
    ['realm_user_settings_defaults'],
  );
  const defaults = found.value;
  return (
    <>
      <p class="muted">{words.newAccountsHint}</p>
      <ErrorText action={found} />
      {defaults && (
        <>
          <Section title={settingWords.appearance}>
            <Appearance defaults={defaults} />
          </Section>
          <Section title={settingWords.writing}>
            <Switches section="writing" defaults={defaults} />
          </Section>
          <Section title={settingWords.notifications}>
            <SoundAndIcon defaults={defaults} />
            <Switches section="notifications" defaults={defaults} />
          </Section>
          <Section title={settingWords.privacy}>
            <Switches section="privacy" defaults={defaults} />
            <WhoSeesAddress defaults={defaults} />
          </Section>
        </>
      )}
    </>
  );
}

function useEdit() {
  const { words } = useAdmin();
  return (parameters: DefaultsChange) =>
    changeOf({ operation: 'userSettingsDefaults.edit', parameters, question: words.settingQuestion });
}

function Switches({ section, defaults }: DefaultsProps & { section: keyof typeof SWITCHES }): JSX.Element {
  const { words } = useSettingWords();
  const edit = useEdit();
  return (
    <>
      {SWITCHES[section].map(([text, first, ...others]) => (
        <SwitchSetting
          key={first}
          label={words[text] as string}
          value={defaults[first as 'enter_sends']}
          change={(isOn) => edit(Object.fromEntries([first, ...others].map((name) => [name, isOn])))}
        />
      ))}
    </>
  );
}

function Appearance({ defaults }: DefaultsProps): JSX.Element {
  const { words } = useSettingWords();
  const edit = useEdit();
  return (
    <>
      <ChoiceSetting
        label={words.theme}
        value={defaults.color_scheme as number}
        options={[
          [1, words.themeAuto],
          [3, words.themeLight],
          [2, words.themeDark],
        ]}
        change={(scheme) => edit({ color_scheme: scheme as 1 })}
      />
      <ChoiceSetting
        label={words.timeFormat}
        value={defaults.twenty_four_hour_time ? 24 : 12}
        options={[
          [12, words.time12],
          [24, words.time24],
        ]}
        change={(format) => edit({ twenty_four_hour_time: format === 24 })}
      />
    </>
  );
}

function SoundAndIcon({ defaults }: DefaultsProps): JSX.Element {
  const { words } = useSettingWords();
  const edit = useEdit();
  const sounds = defaults.available_notification_sounds.map((name) => [name, name.replaceAll('_', ' ')] as const);
  return (
    <>
      <ChoiceSetting
        label={words.sound}
        value={defaults.notification_sound}
        options={[['none', words.noSound], ...sounds]}
        change={(notification_sound) => edit({ notification_sound })}
      />
      <ChoiceSetting
        label={words.iconCount}
        value={defaults.desktop_icon_count_display as number}
        options={[1, 2, 3, 4].map((display) => [display, words.iconCounts[display] ?? ''] as const)}
        change={(display) => edit({ desktop_icon_count_display: display as 1 })}
      />
    </>
  );
}

function WhoSeesAddress({ defaults }: DefaultsProps): JSX.Element {
  const { words } = useAdmin();
  const edit = useEdit();
  return (
    <ChoiceSetting
      label={words.whoSeesAddress}
      value={defaults.email_address_visibility as number}
      options={[1, 2, 5, 3, 4].map((who) => [who, words.addressViewers[who] ?? ''] as const)}
      change={(who) => edit({ email_address_visibility: who as 1 })}
    />
  );
}
