/** Dialogs that choose a time: for a new or scheduled message, and for a reminder. The line about a scheduled message. */

import type { ComponentChildren, RefObject, TargetedInputEvent, VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { isTopicPlace } from '../../client/store/places.ts';
import type { Message, Place } from '../../client/store/types.ts';
import { ActionForm, Dialog } from '../dialog.tsx';
import { useFailures } from '../messages/list-context.ts';
import { addStyles } from '../style-sheets.ts';
import { useLater } from '../words/later-words.ts';
import styles from './send-later.css';
import type { EditedText } from './text.ts';
import { fieldValue, presetTimes, timeOf } from './times.ts';

addStyles(styles);

interface TimeDialogProps {
  title: string;
  submit: string;
  /** Milliseconds since the epoch. Default: the first preset. */
  at?: number | undefined;
  children?: ComponentChildren;
  /** If it fails, the dialog shows why and stays. */
  run(at: number): Promise<unknown>;
  onClose(): void;
}

function TimeDialog({ title, submit, at, children, run, onClose }: TimeDialogProps): VNode {
  const { store, words, formats } = useLater();
  const presets = useMemo(() => presetTimes(store.now()), []);
  const [value, setValue] = useState(() => fieldValue(at ?? presets[0]?.at ?? store.now()));
  return (
    <Dialog title={title} onClose={onClose}>
      <ActionForm submit={submit} run={() => run(timeOf(value))} onClose={onClose}>
        {children}
        <fieldset class="presets">
          <legend>{words.scheduleWhen}</legend>
          {presets.map((preset, index) => (
            <label key={preset.name} class="choice">
              <input
                type="radio"
                name="preset"
                autofocus={index === 0}
                checked={value === fieldValue(preset.at)}
                onChange={() => setValue(fieldValue(preset.at))}
              />
              {words.presets[preset.name]}
              <span class="muted">{formats.full(preset.at)}</span>
            </label>
          ))}
        </fieldset>
        <label>
          {words.scheduleAt}
          <input
            type="datetime-local"
            required
            value={value}
            onInput={({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => setValue(currentTarget.value)}
          />
        </label>
      </ActionForm>
    </Dialog>
  );
}

/** UNIX time in seconds, as the API has it. */
const timestampOf = (at: number) => Math.round(at / 1000);

/** A message that the server has scheduled. */
interface Scheduled {
  readonly id: number;
  /** Milliseconds since the epoch. Undefined: it is over, and the message needs a new time. */
  readonly at?: number;
}

export interface SendLaterProps {
  content: string;
  /** Of a new message. */
  place?: Place;
  /** The message to change. Its text can be changed too. */
  scheduled?: Scheduled;
  /** Called with its ID and its time, in milliseconds since the epoch. */
  onScheduled?(id: number, at: number): void;
  onClose(): void;
}

export function SendLater({ content, place, scheduled, onScheduled, onClose }: SendLaterProps): VNode {
  const { store, words } = useLater();
  const [text, setText] = useState(content);
  const { scheduledMessages } = store.session;
  const create = async (at: number) => {
    if (!place) return;
    const common = { content, scheduled_delivery_timestamp: timestampOf(at) };
    const to = isTopicPlace(place)
      ? ({ type: 'channel', to: place.channelId, topic: place.topic } as const)
      : ({
          type: 'direct',
          to: [...(place.userIds.length > 0 ? place.userIds : [store.me.get()?.user_id ?? 0])],
        } as const);
    const { scheduled_message_id } = await scheduledMessages.create({ ...to, ...common });
    onScheduled?.(scheduled_message_id, at);
  };
  if (!scheduled)
    return <TimeDialog title={words.scheduleMessage} submit={words.schedule} run={create} onClose={onClose} />;
  const edit = (at: number) =>
    scheduledMessages.edit({
      scheduled_message_id: scheduled.id,
      scheduled_delivery_timestamp: timestampOf(at),
      ...(text !== content && { content: text }),
    });
  return (
    <TimeDialog title={words.editScheduled} submit={words.saveSnippet} at={scheduled.at} run={edit} onClose={onClose}>
      <label>
        {words.messageText}
        <textarea
          rows={4}
          dir="auto"
          required
          value={text}
          onInput={({ currentTarget }: TargetedInputEvent<HTMLTextAreaElement>) => setText(currentTarget.value)}
        />
      </label>
    </TimeDialog>
  );
}

export interface ScheduledNoticeProps {
  field: RefObject<HTMLTextAreaElement | null>;
  text: EditedText;
  scheduled: { readonly id: number; readonly at: number; readonly content: string };
  onClose(): void;
}

/** Below a composer: the time of its scheduled message. */
export function ScheduledNotice({ field, text, scheduled, onClose }: ScheduledNoticeProps): VNode {
  const { store, words, formats, announce } = useLater();
  const failed = useFailures();
  const notice = words.scheduledFor(formats.full(scheduled.at));
  useEffect(() => {
    announce(notice);
    // The dialog has given it to the button.
    field.current?.focus();
    return text.listen((value) => value && onClose());
  }, [scheduled]);
  const undo = async () => {
    await store.session.scheduledMessages.delete({ scheduled_message_id: scheduled.id });
    text.set([scheduled.content, text.get()].filter(Boolean).join('\n\n'));
    field.current?.focus();
  };
  return (
    <p class="scheduled-notice">
      {notice}{' '}
      <button type="button" class="link-button" onClick={() => undo().catch(failed)}>
        {words.undoScheduled}
      </button>
    </p>
  );
}

/** Characters of a note, as the server limits it. */
const MAX_NOTE_LENGTH = 500;

export function RemindDialog({ message, onClose }: { message: Message; onClose(): void }): VNode {
  const { store, words, formats, announce } = useLater();
  const [note, setNote] = useState('');
  const remind = async (at: number) => {
    const time = { scheduled_delivery_timestamp: timestampOf(at) };
    await store.session.reminders.create({ message_id: message.id, ...time, ...(note.trim() && { note }) });
    announce(words.reminderSet(formats.full(at)));
  };
  return (
    <TimeDialog title={words.remindMe} submit={words.setReminder} run={remind} onClose={onClose}>
      <label>
        {words.reminderNote}
        <input
          value={note}
          maxLength={MAX_NOTE_LENGTH}
          onInput={({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => setNote(currentTarget.value)}
        />
      </label>
    </TimeDialog>
  );
}
