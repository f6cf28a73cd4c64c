import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Message } from '../../client/store/types.ts';
import { Button } from '../buttons.tsx';
import { type EditState, unsavedEdits } from '../messages/unsaved-edits.ts';
import { reasonOf } from '../reasons.ts';
import { addStyles } from '../style-sheets.ts';
import { useOverlay } from '../words/overlay-words.ts';
import styles from './edit-message.css';
import { Editor } from './editor.tsx';
import { type EditedText, textOf } from './text.ts';

addStyles(styles);

export interface EditMessageProps {
  message: Message;
  /** Called after the change, and if the user cancels. */
  onClose(): void;
}

/** A field in the place of a message. */
export function EditMessage({ message, onClose }: EditMessageProps): VNode {
  const { words } = useOverlay();
  const { state, wasKept, load, save, takeTheirs, close } = useEdit(message, onClose);
  const { text, original, theirs, isSaving = false, error } = state;
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    // The reader comes back to read.
    if (text && wasKept(text)) return;
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, [text]);
  const cancel = <Button onClick={close}>{words.cancelEdit}</Button>;
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
          <Button onClick={takeTheirs}>{words.editUseTheirs}</Button>
        </div>
      )}
      {text ? (
        <Editor
          field={field}
          text={text}
          place={message.place}
          label={words.editLabel}
          submit={{ label: theirs === undefined ? words.saveEdit : words.editSaveMine, isBusy: isSaving }}
          onSubmit={(content) => void save(content)}
          // Escape does not throw a changed text away. The button does.
          onEscape={() => text.get() === original && close()}
        >
          {cancel}
        </Editor>
      ) : (
        cancel
      )}
    </div>
  );
}

/** The edit of a message: loading -> editing -> saving -> closed, or a conflict with the edit of another user. */
function useEdit(message: Message, onClose: () => void) {
  const { store, words, announce } = useOverlay();
  const edits = unsavedEdits(store);
  const before = useMemo(() => edits.get(message.id), []);
  const [state, setState] = useState<EditState>(before ?? {});
  const { text, original, theirs } = state;
  const load = () => {
    setState({});
    store.messages.markdown(message.id).then(
      (markdown) => setState({ text: textOf(markdown), original: markdown }),
      (failure: Error) => setState({ error: words.editLoadFailed(reasonOf(failure, words)) }),
    );
  };
  useEffect(() => {
    if (!before) load();
  }, [store, message.id]);
  useEffect(() => {
    if (!text) return;
    const keep = (now: string) => {
      if (now === original && theirs === undefined) edits.delete(message.id);
      else edits.set(message.id, { ...state, isSaving: false });
    };
    keep(text.get());
    return text.listen(keep);
  }, [state]);
  const close = () => {
    edits.delete(message.id);
    onClose();
  };
  const save = async (content: string) => {
    if (content === original && theirs === undefined) return close();
    setState({ ...state, isSaving: true });
    try {
      await store.messages.edit(message.id, content);
      close();
    } catch (failure) {
      await refused(failure as Error);
    }
  };
  const refused = async (failure: Error) => {
    const shown = words.editFailed(reasonOf(failure, words));
    const isConflict = 'code' in failure && failure.code === 'EXPECTATION_MISMATCH';
    const now = isConflict ? await store.messages.markdown(message.id).catch(() => undefined) : undefined;
    const { error: _before, ...rest } = state;
    const next = { ...rest, isSaving: false };
    setState(now === undefined ? { ...next, error: shown } : { ...next, theirs: now, original: now });
    announce(now === undefined ? shown : words.editChanged);
  };
  const takeTheirs = () => {
    const { theirs: taken = '', ...rest } = state;
    text?.set(taken);
    setState({ ...rest, original: taken });
  };
  const wasKept = (shown: EditedText) => shown === before?.text;
  return { state, wasKept, load, save, takeTheirs, close };
}
