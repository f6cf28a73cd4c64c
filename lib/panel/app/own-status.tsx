/** The own status, and the dialog that sets it: text, emoji and until when. */

import type { JSX } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { EmojiRef } from '../../client/store/types.ts';
import { Button, ErrorText, Form } from '../buttons.tsx';
import { EmojiPicture } from '../composer/emoji-picture.tsx';
import { EmojiPopover } from '../composer/tool-parts.ts';
import { useCell } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { Icon } from '../icons.tsx';
import { useFetched } from '../refusal.ts';
import { addStyles } from '../style-sheets.ts';
import { usePeopleWords } from '../words/people-words.ts';
import { Field } from './controls.tsx';
import { Choice } from './form-controls.tsx';
import { NoticeContext, useAction, useOpen } from './hooks.ts';
import styles from './own-status.css';
import { StatusEmoji, StatusLine, type UserStatus } from './profile.tsx';

addStyles(styles);

/** In code points, as the server limits it. */
const MAX_STATUS = 60;
const MINUTE_MS = 60_000;
/** Of the choices beside the end of the day. */
const MINUTES = [30, 60, 240] as const;
/** In place of minutes: the end of the day; never; the end that the status has. */
const [TODAY, STAYS, KEPT] = [-1, 0, -2];

/** With the names of the emoji in the table of the server. */
const PRESETS = [
  ['meeting', '📅', 'calendar', 60],
  ['lunch', '🍴', 'fork_and_knife', 60],
  ['commuting', '🚌', 'bus', 60],
  ['remote', '🏠', 'house', TODAY],
  ['sick', '🤕', 'hurt', TODAY],
  ['vacation', '🌴', 'palm_tree', STAYS],
] as const;

interface Chosen {
  readonly text: string;
  readonly emoji: EmojiRef | undefined;
  readonly minutes: number;
}

const NO_STATUS: Chosen = { text: '', emoji: undefined, minutes: STAYS };

/** It loads with the first messages. */
const endings = () => import('./alerts.ts');

function emojiOf({ emoji_name, emoji_code, reaction_type }: UserStatus): EmojiRef | undefined {
  if (!emoji_name) return undefined;
  return { emoji_name, emoji_code, reaction_type } as EmojiRef;
}

/** The status of this account, from the server: other clients change it too. And its end, if this browser set one. */
function useOwnStatus(version = 0) {
  const { store } = usePeopleWords();
  const user_id = useCell(store.me)?.user_id;
  return useFetched(
    async (signal) => {
      if (user_id === undefined) return undefined;
      const { status } = await store.session.userStatus.get({ user_id }, { signal });
      const end = (await endings()).keptEnd(store);
      return { ...status, end: end && end.text === status.status_text ? end : undefined };
    },
    [store, user_id, version],
  );
}

/** In the settings. */
export function OwnStatus(): JSX.Element {
  const { words } = usePeopleWords();
  const [version, setVersion] = useState(0);
  const { value, error } = useOwnStatus(version);
  const dialog = useOpen();
  const close = () => {
    dialog.close();
    setVersion(version + 1);
  };
  return (
    <div class="own-status">
      <StatusLine status={value} none={words.noStatus} />
      <Button onClick={dialog.open}>{words.setStatus}</Button>
      <ErrorText action={{ error }} />
      {dialog.isOpen && <StatusDialog onClose={close} />}
    </div>
  );
}

export function StatusDialog({ onClose }: { onClose(): void }): JSX.Element {
  const { store, words, formats } = usePeopleWords();
  const notify = useContext(NoticeContext);
  const found = useOwnStatus();
  const [chosen, setChosen] = useState(NO_STATUS);
  const action = useAction();
  const change = (part: Partial<Chosen>) => setChosen((before) => ({ ...before, ...part }));
  const { text, emoji, minutes } = chosen;
  const present: UserStatus = found.value ?? {};
  const end = found.value?.end;
  const isSet = present.status_text || present.emoji_name;
  useEffect(() => {
    // Unless the user was faster.
    if (isSet && chosen === NO_STATUS)
      setChosen({
        text: end?.plain ?? present.status_text ?? '',
        emoji: emojiOf(present),
        minutes: end ? KEPT : STAYS,
      });
  }, [found.value]);
  const endOf = (given: number): number | undefined => {
    if (given === STAYS) return undefined;
    if (given === KEPT) return end?.at;
    const now = store.now();
    return given === TODAY ? new Date(now).setHours(23, 59, 59, 0) : now + given * MINUTE_MS;
  };
  const save = async (given: Chosen) => {
    const at = endOf(given.minutes);
    const plain = given.text.trim();
    const status_text = at === undefined ? plain : words.statusUntil(plain, formats.time(at));
    const isSaved = await action.run(async () => {
      await store.session.userStatus.set({ status_text, emoji_name: '', ...given.emoji });
      (await endings()).keepEnd(store, at === undefined ? undefined : { at, text: status_text, plain });
    });
    if (!isSaved) return;
    const undo = async () => {
      await store.session.userStatus.set({
        status_text: present.status_text ?? '',
        emoji_name: '',
        ...emojiOf(present),
      });
      (await endings()).keepEnd(store, end);
    };
    notify({ text: status_text || given.emoji ? words.statusSet(status_text) : words.statusCleared, undo });
    onClose();
  };
  const names: Readonly<Record<number, string>> = {
    [STAYS]: words.statusStays,
    [TODAY]: words.statusToday,
    [KEPT]: words.statusUntil('', formats.time(end?.at ?? 0)),
  };
  const nameOf = (each: number) => names[each] ?? words.statusMinutes(each);
  return (
    <Dialog title={words.setStatus} onClose={onClose}>
      <Form onSubmit={() => save(chosen)}>
        <div class="status-fields">
          <EmojiChooser emoji={emoji} onChoose={(picked) => change({ emoji: picked })} />
          <Field
            label={words.statusText}
            value={text}
            onInput={(typed) => change({ text: typed })}
            maxLength={MAX_STATUS}
            hint={words.statusHint}
            isFocused
          />
        </div>
        <fieldset class="status-presets">
          <legend>{words.suggestedStatuses}</legend>
          {PRESETS.map(([name, character, emoji_name, preset]) => (
            <Button
              key={name}
              isDisabled={action.isRunning}
              onClick={() => save({ text: words.statusPresets[name], emoji: { emoji_name }, minutes: preset })}
            >
              <EmojiPicture emoji_name={emoji_name} character={character} />
              {words.statusPresets[name]}
              {preset !== STAYS && <span class="muted">{nameOf(preset)}</span>}
            </Button>
          ))}
        </fieldset>
        <Choice<number>
          label={words.statusDuration}
          value={minutes}
          options={[...(end ? [KEPT] : []), STAYS, ...MINUTES, TODAY].map((each) => [each, nameOf(each)] as const)}
          onChange={(value) => change({ minutes: value })}
        />
        {minutes !== STAYS && <p class="field-hint">{words.statusEndHint}</p>}
        <ErrorText action={found} />
        <ErrorText action={action} />
        <div class="form-actions">
          {isSet && (
            <Button isDisabled={action.isRunning} onClick={() => save(NO_STATUS)}>
              {words.clearStatus}
            </Button>
          )}
          <Button kind="primary" isSubmit isDisabled={action.isRunning || !(text.trim() || emoji)}>
            {words.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function EmojiChooser({ emoji, onChoose }: { emoji: EmojiRef | undefined; onChoose(emoji: EmojiRef): void }) {
  const { words } = usePeopleWords();
  const [beside, setBeside] = useState<HTMLElement>();
  const label = words.statusEmoji(emoji?.emoji_name.replaceAll('_', ' '));
  return (
    <>
      <button
        type="button"
        class="button status-emoji"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={beside !== undefined}
        onClick={({ currentTarget }) => setBeside(beside ? undefined : currentTarget)}
      >
        {emoji ? <StatusEmoji {...emoji} /> : <Icon name="smile" />}
      </button>
      {beside && (
        <EmojiPopover
          beside={beside}
          onClose={() => setBeside(undefined)}
          onPick={(picked) => {
            onChoose(picked);
            setBeside(undefined);
          }}
        />
      )}
    </>
  );
}
