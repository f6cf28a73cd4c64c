/** A text field for Markdown, with completion, emoji, files and a limit. */

import type { ComponentChildren, RefObject, TargetedKeyboardEvent, VNode } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { EmojiRef, Place } from '../../client/store/types.ts';
import { Button, IconButton } from '../buttons.tsx';
import { useCell, usePanel } from '../context.ts';
import { Icon } from '../icons.tsx';
import { EmojiPopover } from '../parts.ts';
import { useCompletion } from './completion.tsx';
import {
  charactersLeft,
  type EditedText,
  growField,
  isTouch,
  keepFocus,
  linked,
  marked,
  showText,
  type TextChange,
  typeText,
} from './text.ts';
import type { Upload, Uploads } from './uploads.ts';

/** If the server has not said yet. */
const DEFAULT_MAX_LENGTH = 10_000;
/** A text this many times as long as a message may be is not put into the field: browsers hang with some megabytes. */
const MAX_TIMES_TOO_LONG = 4;

interface EditorProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: EditedText;
  readonly place: Place;
  readonly uploads: Uploads;
  readonly label: string;
  readonly placeholder?: string;
  /** The name of the button that submits. `icon`: it shows that instead. */
  readonly submit: { readonly label: string; readonly hasIcon?: boolean; readonly isBusy?: boolean };
  /** More buttons beside that one. */
  readonly children?: ComponentChildren;
  /** The text is neither empty nor too long, and all files are uploaded. */
  onSubmit(text: string): void;
  /** The user changed the text. */
  onType?(text: string): void;
  onEscape?(): void;
}

export function Editor(props: EditorProps): VNode {
  const { field, text, place, uploads, label, placeholder, submit, children } = props;
  const { store, words, announce, enterSends } = usePanel();
  const limit = useCell(store.organization)?.max_message_length ?? DEFAULT_MAX_LENGTH;
  const setting = useCell(store.settings)?.enter_sends ?? true;
  const sendsByEnter = (enterSends ?? setting) && !isTouch();
  const hint = isTouch() ? '' : words.sendWith(submit.label, sendsByEnter ? 'Enter' : 'Ctrl+Enter');
  const [status, setStatus] = useState({ isEmpty: true, left: undefined as number | undefined });
  const [isWaiting, setIsWaiting] = useState(false);
  const [held, setHeld] = useState<string>();
  const [picker, setPicker] = useState<HTMLElement>();
  const [isDropping, setIsDropping] = useState(false);
  const [, render] = useReducer((count: number) => count + 1, 0);
  const files = useRef<HTMLInputElement>(null);
  const completion = useCompletion(field, place);

  const measure = () => {
    const value = field.current?.value ?? '';
    const isEmpty = !/\S/.test(value);
    const left = charactersLeft(value, limit);
    setStatus((before) => (before.isEmpty === isEmpty && before.left === left ? before : { isEmpty, left }));
    growField(field.current);
  };
  useLayoutEffect(() => {
    const show = (value: string) => {
      // The server trims drafts: spaces that were just typed stay.
      if (!field.current || (value !== '' && field.current.value.trim() === value)) return;
      showText(field.current, value);
      measure();
    };
    show(text.get());
    return text.listen(show);
  }, [text, limit]);
  useEffect(() => uploads.listen(() => render(0)), [uploads]);

  const typed = () => {
    const value = field.current?.value ?? '';
    text.set(value);
    measure();
    setIsWaiting(false);
    completion.refresh();
    props.onType?.(value);
  };
  const insert = (inserted: string) => {
    const area = field.current;
    if (area) typeText(area, area.selectionStart, area.selectionEnd, inserted);
  };
  const attach = (added: readonly File[]) => {
    const area = field.current;
    if (!area || added.length === 0) return;
    const placeholders = uploads.add(added);
    if (placeholders === '') return;
    const before = area.value.slice(0, area.selectionStart);
    insert(`${/\S$/.test(before) ? '\n' : ''}${placeholders}\n`);
  };
  const change = ({ from, to, insert: inserted, select }: TextChange) => {
    if (!field.current) return;
    typeText(field.current, from, to, inserted);
    field.current.setSelectionRange(...select);
  };
  const trySubmit = () => {
    const value = field.current?.value ?? '';
    const left = charactersLeft(value, limit) ?? 0;
    if (submit.isBusy || !/\S/.test(value)) return;
    if (left < 0) announce(words.charactersTooMany(-left));
    else if (uploads.finish()) props.onSubmit(text.get());
    else {
      setIsWaiting(true);
      announce(words.waitForUploads);
    }
  };
  /** Keeps a text beside the field if it is too long for it. Returns whether it did. */
  const hold = (added: string): boolean => {
    const isTooLong = (field.current?.value.length ?? 0) + added.length > MAX_TIMES_TOO_LONG * limit;
    if (isTooLong) setHeld(added);
    return isTooLong;
  };
  const onPaste = (event: ClipboardEvent) => {
    const data = event.clipboardData;
    const area = field.current;
    if (!data || !area) return;
    // Office programs also offer an image of the text.
    if (data.files.length > 0 && !data.types.includes('text/plain')) {
      event.preventDefault();
      attach([...data.files]);
      return;
    }
    const pasted = data.getData('text/plain');
    if (hold(pasted)) event.preventDefault();
    const { selectionStart: start, selectionEnd: end, value } = area;
    const isOnSelection = start !== end && !/[\n[\]]|^https?:/.test(value.slice(start, end));
    if (!isOnSelection || pasted.length > 2000 || !/^https?:\/\/\S+$/.test(pasted.trim())) return;
    event.preventDefault();
    change(linked(value, start, end, pasted.trim()));
  };
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    setIsDropping(true);
  };
  const onDrop = (event: DragEvent) => {
    setIsDropping(false);
    const data = event.dataTransfer;
    if (!data) return;
    if (data.files.length > 0) {
      event.preventDefault();
      attach([...data.files]);
    } else if (hold(data.getData('text/plain'))) event.preventDefault();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    // Keys of an input method. Safari says so by the code alone.
    if (event.isComposing || event.keyCode === 229) return;
    if (completion.onKeyDown(event)) return;
    const { selectionStart: start, selectionEnd: end, value } = event.currentTarget;
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
    const key = event.key.toLowerCase();
    if (isCommand && key === 'b') change(marked(value, start, end, 'bold'));
    else if (isCommand && key === 'i') change(marked(value, start, end, 'italic'));
    else if (isCommand && (event.shiftKey ? key === 'l' : key === 'k')) change(linked(value, start, end));
    else if (key === 'enter' && (isCommand || (sendsByEnter && !event.shiftKey))) trySubmit();
    else if (key === 'escape' && props.onEscape) props.onEscape();
    else return;
    event.preventDefault();
    // Shortcuts of the list and the page stay out.
    event.stopPropagation();
  };
  const pick = ({ emoji_name }: EmojiRef) => {
    setPicker(undefined);
    insert(`:${emoji_name}: `);
  };
  const { isEmpty, left } = status;
  const isTooLong = left !== undefined && left < 0;
  return (
    <div class={isDropping ? 'composer-box dropping' : 'composer-box'}>
      {completion.list}
      <UploadList uploads={uploads} />
      {held !== undefined && (
        <div class="composer-notice" role="alert">
          <p>{words.pasteTooLong(held.length, limit)}</p>
          <Button
            onClick={() => {
              setHeld(undefined);
              attach([new File([held], words.pastedFileName, { type: 'text/plain' })]);
            }}
          >
            {words.attachAsFile}
          </Button>
          <Button
            onClick={() => {
              setHeld(undefined);
              field.current?.focus();
            }}
          >
            {words.dismiss}
          </Button>
        </div>
      )}
      <textarea
        ref={field}
        class="composer-field"
        part="composer-field"
        rows={1}
        dir="auto"
        aria-label={label}
        {...(placeholder !== undefined && { placeholder })}
        enterkeyhint={sendsByEnter ? 'send' : 'enter'}
        autocomplete="off"
        aria-invalid={isTooLong}
        {...completion.attributes}
        onInput={typed}
        onKeyDown={onKeyDown}
        onClick={completion.refresh}
        onKeyUp={(event) => /^(Arrow|Home|End|Page)/.test(event.key) && completion.refresh()}
        onBlur={completion.close}
        onPaste={onPaste}
        onDragOver={onDragOver}
        onDragLeave={() => setIsDropping(false)}
        onDrop={onDrop}
      />
      <div class="composer-bar">
        <IconButton
          icon="plus"
          label={words.attachFiles}
          onPointerDown={keepFocus}
          onClick={() => files.current?.click()}
        />
        <input
          ref={files}
          type="file"
          multiple
          hidden
          onChange={({ currentTarget }) => {
            attach([...(currentTarget.files ?? [])]);
            currentTarget.value = '';
          }}
        />
        <IconButton
          icon="smile"
          label={words.insertEmoji}
          aria-haspopup="dialog"
          aria-expanded={picker !== undefined}
          onPointerDown={keepFocus}
          onClick={({ currentTarget }) => setPicker(picker ? undefined : currentTarget)}
        />
        {picker && <EmojiPopover beside={picker} onPick={pick} onClose={() => setPicker(undefined)} />}
        <span class={isTooLong ? 'characters error-text' : 'characters muted'}>
          {isWaiting && uploads.list.length > 0
            ? words.waitForUploads
            : left === undefined
              ? hint
              : left < 0
                ? words.charactersTooMany(-left)
                : words.charactersLeft(left)}
        </span>
        {children}
        <button
          type="button"
          class={submit.hasIcon ? 'icon-button send' : 'button primary'}
          part="send"
          aria-label={submit.label}
          aria-keyshortcuts={sendsByEnter ? 'Enter' : 'Control+Enter Meta+Enter'}
          disabled={isEmpty || isTooLong || submit.isBusy === true}
          onPointerDown={keepFocus}
          onClick={trySubmit}
        >
          {submit.hasIcon ? <Icon name="send" /> : submit.label}
        </button>
      </div>
    </div>
  );
}

/** Files on their way, and those that failed. */
function UploadList({ uploads }: { uploads: Uploads }): VNode | null {
  const { words } = usePanel();
  if (uploads.list.length === 0) return null;
  return (
    <ul class="uploads" part="uploads" aria-label={words.uploads}>
      {uploads.list.map((upload) => (
        <li key={upload.id} class={`upload ${upload.state}`}>
          <UploadState upload={upload} />
          {upload.state === 'failed' && upload.mayRetry && (
            <button
              type="button"
              class="button"
              aria-label={words.uploadRetry(upload.name)}
              onPointerDown={keepFocus}
              onClick={() => uploads.retry(upload.id)}
            >
              {words.retry}
            </button>
          )}
          <IconButton
            icon="close"
            label={(upload.state === 'failed' ? words.uploadRemove : words.uploadCancel)(upload.name)}
            onPointerDown={keepFocus}
            onClick={() => uploads.remove(upload.id)}
          />
        </li>
      ))}
    </ul>
  );
}

function UploadState({ upload: { name, state, error, sent, size } }: { upload: Upload }): VNode {
  const { words } = usePanel();
  if (state === 'failed') return <span class="upload-name error-text">{error}</span>;
  return (
    <>
      <span class="upload-name">{name}</span>
      <progress
        aria-label={words.uploadProgress(name)}
        max={Math.max(1, size)}
        {...(state === 'sending' && sent > 0 && { value: sent })}
      />
    </>
  );
}
