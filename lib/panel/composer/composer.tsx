import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { placeKey } from '../../client/store/places.ts';
import type { Draft, Message, Place } from '../../client/store/types.ts';
import { useRefusal } from '../app/hooks.ts';
import { Button } from '../buttons.tsx';
import { useCell, usePanel } from '../context.ts';
import { Editor } from './editor.tsx';
import { type EditedText, textOf } from './text.ts';
import { Uploads, uploadsOf } from './uploads.ts';

interface ComposerProps {
  readonly place: Place;
  /** Name of the field: where the message goes. */
  readonly label: string;
  /** Whether it gets the focus when it appears. */
  readonly isFocused?: boolean;
}

/** In place of the field where the server accepts no messages. Shows what the user has begun to write, to copy it. */
export function Refused({ reason, children }: { reason: string; children?: ComponentChildren }): VNode {
  const { announce } = usePanel();
  useEffect(() => announce(reason), [reason]);
  return (
    <div class="composer" part="composer">
      <div class="composer-box">
        <p class="composer-notice">{reason}</p>
        {children}
      </div>
    </div>
  );
}

function Unsent({ draft, label }: { draft: Draft; label: string }): VNode | null {
  const text = useCell(draft);
  return text ? <textarea class="composer-field" dir="auto" readOnly aria-label={label} value={text} /> : null;
}

/**
 * The field for new messages. It shows the draft of the place. To give back a message that the server refused, set the
 * draft.
 */
export function Composer({ place, label, isFocused }: ComposerProps): VNode {
  const panel = usePanel();
  const { store, words, dispatch } = panel;
  const field = useRef<HTMLTextAreaElement>(null);
  const key = placeKey(place);
  const { to, draft, uploads } = useMemo(() => {
    const text = store.drafts.of(place);
    return { to: place, draft: text, uploads: uploadsOf(place, text, panel) };
  }, [store, key]);
  useEffect(() => () => store.activity.stopTyping(to), [store, to]);
  useEffect(() => {
    if (isFocused) field.current?.focus();
  }, [key]);
  const refusal = useRefusal(place);
  if (refusal !== undefined)
    return (
      <Refused reason={refusal}>
        <Unsent draft={draft} label={label} />
      </Refused>
    );
  const send = (content: string) => {
    const { localId } = store.outbox.send(to, content);
    draft.set('');
    store.activity.stopTyping(to);
    dispatch('parlance-sent', { localId });
  };
  return (
    <div class="composer" part="composer">
      <slot name="composer-start" />
      <Editor
        key={key}
        field={field}
        text={draft}
        place={to}
        uploads={uploads}
        label={label}
        placeholder={words.writeMessage}
        submit={{ label: words.send, hasIcon: true }}
        onSubmit={send}
        onType={(text) => (/\S/.test(text) ? store.activity.notifyTyping(to) : store.activity.stopTyping(to))}
      />
      <slot name="composer-end" />
    </div>
  );
}

/** `theirs`: the text of another user who changed the message in between. */
interface State {
  readonly text?: EditedText;
  readonly original?: string;
  readonly theirs?: string;
  readonly isSaving?: boolean;
  readonly error?: string;
}

/** A field in the place of a message. `onClose` is called after the change, and if the user cancels. */
export function EditMessage({ message, onClose }: { message: Message; onClose(): void }): VNode {
  const panel = usePanel();
  const { store, words, announce } = panel;
  const field = useRef<HTMLTextAreaElement>(null);
  const [state, setState] = useState<State>({});
  const { text, original, theirs, isSaving = false, error } = state;
  const load = () => {
    setState({});
    store.messages.markdown(message.id).then(
      (markdown) => setState({ text: textOf(markdown), original: markdown }),
      (failure: Error) => setState({ error: words.editLoadFailed(failure.message) }),
    );
  };
  useEffect(load, [store, message.id]);
  const uploads = useMemo(() => text && new Uploads(text, panel), [text]);
  useLayoutEffect(() => {
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, [text]);

  const save = async (content: string) => {
    if (content === original && theirs === undefined) return onClose();
    setState({ ...state, isSaving: true });
    try {
      await store.messages.edit(message.id, content);
      onClose();
    } catch (failure) {
      await refused(failure as Error);
    }
  };
  const refused = async (failure: Error) => {
    const shown = words.editFailed(failure.message);
    const isConflict = 'code' in failure && failure.code === 'EXPECTATION_MISMATCH';
    const now = isConflict ? await store.messages.markdown(message.id).catch(() => undefined) : undefined;
    const { error: _before, ...rest } = state;
    const next = { ...rest, isSaving: false };
    setState(now === undefined ? { ...next, error: shown } : { ...next, theirs: now, original: now });
    announce(now === undefined ? shown : words.editChanged);
  };
  // Escape does not throw a changed text away. The button does.
  const onEscape = () => {
    if (text?.get() === original) onClose();
  };
  return (
    <div class="edit-message">
      {!text && !error && <p role="status">{words.editLoading}</p>}
      {error && (
        <p class="error-text" role="alert">
          {error} {!text && <Button onClick={load}>{words.editTryAgain}</Button>}
        </p>
      )}
      {theirs !== undefined && (
        <div class="composer-notice conflict">
          <p>{words.editChanged}</p>
          <blockquote dir="auto">{theirs}</blockquote>
          <Button
            onClick={() => {
              const { theirs: _theirs, ...rest } = state;
              text?.set(theirs);
              setState({ ...rest, original: theirs });
            }}
          >
            {words.editUseTheirs}
          </Button>
        </div>
      )}
      {text && uploads && (
        <Editor
          field={field}
          text={text}
          place={message.place}
          uploads={uploads}
          label={words.editLabel}
          submit={{ label: theirs === undefined ? words.saveEdit : words.editSaveMine, isBusy: isSaving }}
          onSubmit={(content) => void save(content)}
          onEscape={onEscape}
        >
          <Button onClick={onClose}>{words.cancelEdit}</Button>
        </Editor>
      )}
      {!text && <Button onClick={onClose}>{words.cancelEdit}</Button>}
    </div>
  );
}
