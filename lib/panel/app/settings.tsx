/** The own account and settings. Each change is saved at once. */

import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { OwnSettings } from '../../client/store/types.ts';
import { Button, ErrorText } from '../buttons.tsx';
import { useCell, usePeople } from '../context.ts';
import { browserHas24Hours } from '../formats.ts';
import { Icon } from '../icons.tsx';
import { useFetched } from '../refusal.ts';
import { addStyles } from '../style-sheets.ts';
import { useSettings } from '../words/settings-words.ts';
import { LimitedList } from './controls.tsx';
import { Check, Choice } from './form-controls.tsx';
import { unmuteUser, useAction, useSave } from './hooks.ts';
import lists from './lists.css';
import { NotificationPermission } from './notification-permission.tsx';
import { Label, useTopicName } from './place-names.tsx';
import { Section, Sections } from './sections.tsx';
import { SWITCHES } from './setting-switches.ts';
import { AccountSettings } from './settings-account.tsx';
import { useSignOut } from './sign-out.ts';
import { ViewHeader } from './view-header.tsx';

addStyles(lists);

export function SettingsPage(): JSX.Element {
  const { store, words } = useSettings();
  const settings = useCell(store.settings);
  return (
    <>
      <ViewHeader title={words.settings} icon="settings">
        <SignOut />
      </ViewHeader>
      <Sections label={words.sections}>
        {settings && (
          <>
            <Appearance settings={settings} />
            <Switches section="writing" settings={settings} />
            <Switches section="notifications" settings={settings}>
              <NotificationPermission />
              <SoundAndIcon settings={settings} />
            </Switches>
            <Switches section="privacy" settings={settings} />
          </>
        )}
        <AccountSettings />
        <Section title={words.mutedUsers}>
          <MutedUsers />
        </Section>
        <Section title={words.mutedTopics}>
          <MutedTopics />
        </Section>
      </Sections>
    </>
  );
}

function Appearance({ settings }: { settings: OwnSettings }): JSX.Element {
  const { words } = useSettings();
  const saving = useSave();
  return (
    <Section title={words.appearance}>
      <Choice
        label={words.theme}
        value={settings.color_scheme}
        options={[
          [1, words.themeAuto],
          [3, words.themeLight],
          [2, words.themeDark],
        ]}
        onChange={(color_scheme) => saving.save({ color_scheme })}
      />
      <Choice
        label={words.timeFormat}
        value={(settings.twenty_four_hour_time ?? browserHas24Hours()) ? 24 : 12}
        options={[
          [12, words.time12],
          [24, words.time24],
        ]}
        onChange={(value) => saving.save({ twenty_four_hour_time: value === 24 })}
      />
      <ErrorText action={saving} />
    </Section>
  );
}

function SoundAndIcon({ settings }: { settings: OwnSettings }): JSX.Element {
  const { words } = useSettings();
  const saving = useSave();
  const sounds = settings.available_notification_sounds.map((name) => [name, name.replaceAll('_', ' ')] as const);
  return (
    <>
      <Choice
        label={words.sound}
        value={settings.notification_sound}
        options={[['none', words.noSound], ...sounds]}
        onChange={(notification_sound) => {
          import('./alerts.ts').then(({ play }) => play(notification_sound)).catch(() => {});
          return saving.save({ notification_sound });
        }}
      />
      <Choice
        label={words.iconCount}
        value={settings.desktop_icon_count_display}
        options={([1, 2, 3, 4] as const).map((display) => [display, words.iconCounts[display] ?? ''] as const)}
        onChange={(desktop_icon_count_display) => saving.save({ desktop_icon_count_display })}
      />
      <ErrorText action={saving} />
    </>
  );
}

interface SwitchesProps {
  section: keyof typeof SWITCHES;
  settings: OwnSettings;
  children?: ComponentChildren;
}

function Switches({ section, settings, children }: SwitchesProps): JSX.Element {
  const { words } = useSettings();
  const saving = useSave();
  return (
    <Section title={words[section]}>
      {children}
      {SWITCHES[section].map(([text, first, ...others]) => (
        <Check
          key={first}
          label={words[text] as string}
          isChecked={settings[first]}
          onChange={(isOn) => saving.save(Object.fromEntries([first, ...others].map((name) => [name, isOn])))}
        />
      ))}
      <ErrorText action={saving} />
    </Section>
  );
}

function SignOut(): JSX.Element | null {
  const { words } = useSettings();
  const signOut = useSignOut();
  const action = useAction();
  if (!signOut) return null;
  return (
    <div>
      <Button isDisabled={action.isRunning} onClick={() => action.run(signOut)}>
        <Icon name="sign-out" />
        {words.signOut}
      </Button>
      <ErrorText action={action} />
    </div>
  );
}

// Muted users and topics, to unmute them.

/** The names of more muted users are not fetched. */
const MAX_NAMED_USERS = 100;
const MUTED = 1;

function MutedUsers(): JSX.Element {
  const { store, words } = useSettings();
  const ids = [...useCell(store.mutedUsers)].slice(0, MAX_NAMED_USERS);
  const blocked = useCell(store.blockedUsers);
  const people = usePeople(ids);
  const action = useAction();
  if (ids.length === 0) return <p class="muted">{words.noneMuted}</p>;
  return (
    <ul class="rows">
      {ids.map((id, index) => (
        <Row
          key={id}
          name={people[index]?.full_name ?? '…'}
          label={blocked.has(id) ? words.unblockUser : words.unmute}
          onUnmute={() => action.run(() => unmuteUser(store, id))}
        />
      ))}
      <ErrorText action={action} />
    </ul>
  );
}

function MutedTopics(): JSX.Element {
  const { store, words } = useSettings();
  const [version, setVersion] = useState(0);
  const action = useAction();
  const found = useFetched(async () => {
    const { user_topics } = await store.session.userTopics.list({ allow_empty_topic_name: true });
    return user_topics.filter(({ visibility_policy }) => visibility_policy === MUTED);
  }, [version]);
  const unmute = async (stream_id: number, topic: string) => {
    if (await action.run(() => store.session.userTopics.set({ stream_id, topic, visibility_policy: 0 })))
      setVersion(version + 1);
  };
  if (found.value?.length === 0) return <p class="muted">{words.noneMuted}</p>;
  return (
    <>
      <ErrorText action={found} />
      <ErrorText action={action} />
      <ul class="rows">
        <LimitedList items={found.value ?? []}>
          {({ stream_id, topic_name }) => (
            <MutedTopic
              key={`${stream_id} ${topic_name}`}
              channelId={stream_id}
              topic={topic_name}
              onUnmute={() => unmute(stream_id, topic_name)}
            />
          )}
        </LimitedList>
      </ul>
    </>
  );
}

function MutedTopic(props: { channelId: number; topic: string; onUnmute(): void }): JSX.Element {
  const { store, words } = useSettings();
  const channel = useCell(store.channels).get(props.channelId);
  const topic = useTopicName(props.topic);
  const name = channel ? `#${channel.name} › ${topic}` : topic;
  return <Row name={name} label={words.unmute} onUnmute={props.onUnmute} />;
}

function Row({ name, label, onUnmute }: { name: string; label: string; onUnmute(): void }): JSX.Element {
  return (
    <li class="person-line">
      <Label>{name}</Label>
      <Button onClick={onUnmute}>
        {label}
        <span class="visually-hidden"> {name}</span>
      </Button>
    </li>
  );
}
