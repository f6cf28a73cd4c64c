/** A text field for Markdown, with completion, emoji, files and a limit. */

import type { ComponentChildren, RefObject, TargetedKeyboardEvent, VNode } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { Place } from '../../client/store/types.ts';
import { useCell, usePanel } from '../context.ts';
import { Icon } from '../icons.tsx';
import { useFailures } from '../messages/list-context.ts';
import { Completion, ComposerTools, HeldText, UploadList } from '../parts.ts';
import type { CompletionHandle } from './completion.tsx';
import {
  charactersLeft,
  type EditedText,
  growField,
  isTouch,
  keepFocus,
  offersFiles,
  showText,
  typeText,
} from './text.ts';
import type { ToolsHandle } from './tools.tsx';
import type { Uploads } from './uploads.ts';

/** If the server has not said yet. */
const DEFAULT_MAX_LENGTH = 10_000;
/** A text this many times as long as a message may be is not put into the field: browsers hang with some megabytes. */
const MAX_TIMES_TOO_LONG = 4;

type Field = RefObject<HTMLTextAreaElement | null>;

interface EditorProps {
  readonly field: Field;
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
  const { field, text, place, uploads, label, placeholder, submit } = props;
  const { store, words, announce, enterSends } = usePanel();
  const limit = useCell(store.organization)?.max_message_length ?? DEFAULT_MAX_LENGTH;
  const sendsByEnter = useSendsByEnter();
  const failed = useFailures();
  // A page that sets the attribute has decided.
  const hasSwitch = submit.hasIcon && enterSends === undefined && !isTouch();
  const [isWaiting, setIsWaiting] = useState(false);
  const measured = useFieldText(field, text, limit);
  const tools = useRef<ToolsHandle>(null);
  const attaching = useAttaching({ field, uploads, limit, tools });
  const completion = useRef<CompletionHandle>(null);
  const [completes, setCompletes] = useState(false);
  /** Completion, which loads now, gets this key. A second one is not held. */
  const isEnterHeld = useRef(false);

  const complete = () => {
    completion.current?.refresh();
  };
  const onEnter = () => {
    if (sendsByEnter) trySubmit();
    else if (field.current) insert(field.current, '\n');
  };
  const typed = () => {
    const value = field.current?.value ?? '';
    text.set(value);
    measured.measure();
    setIsWaiting(false);
    complete();
    props.onType?.(value);
  };
  /** The text, if it could be submitted now. */
  const ready = () => {
    const value = field.current?.value ?? '';
    const left = charactersLeft(value, limit) ?? 0;
    if (submit.isBusy || !/\S/.test(value)) return undefined;
    if (left < 0) announce(words.charactersTooMany(-left));
    else if (uploads.finish()) return text.get();
    else {
      setIsWaiting(true);
      announce(words.waitForUploads);
    }
    return undefined;
  };
  const trySubmit = () => {
    const content = ready();
    if (content !== undefined) props.onSubmit(content);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    // Keys of an input method. Safari says so by the code alone.
    if (event.isComposing || event.keyCode === 229) return;
    if (completion.current?.onKeyDown(event)) return;
    if (event.key === 'Enter' && !completion.current && !isEnterHeld.current && isNaming(event.currentTarget)) {
      isEnterHeld.current = true;
      return event.preventDefault();
    }
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
    if (tools.current?.onKeyDown(event)) {
      // The tools have changed the text.
    } else if (event.key === 'Enter' && (isCommand || (sendsByEnter && !event.shiftKey))) trySubmit();
    else if (event.key === 'Escape' && props.onEscape) props.onEscape();
    else return;
    event.preventDefault();
    // Shortcuts of the list and the page stay out.
    event.stopPropagation();
  };
  const isTooLong = measured.left !== undefined && measured.left < 0;
  return (
    <div class={attaching.isDropping ? 'composer-box dropping' : 'composer-box'}>
      {completes && (
        <Completion field={field} place={place} handle={completion} isEnterHeld={isEnterHeld} onEnter={onEnter} />
      )}
      {uploads.list.length > 0 && <UploadList uploads={uploads} />}
      {attaching.held !== undefined && (
        <HeldText
          text={attaching.held}
          limit={limit}
          attach={attaching.attach}
          onClose={() => {
            attaching.release();
            field.current?.focus();
          }}
        />
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
        aria-autocomplete="list"
        aria-haspopup="listbox"
        // Completion loads before the first name is typed.
        onFocus={() => setCompletes(true)}
        onInput={typed}
        onKeyDown={onKeyDown}
        onClick={complete}
        onKeyUp={(event) => /^(Arrow|Home|End|Page)/.test(event.key) && complete()}
        onBlur={() => completion.current?.close()}
        {...attaching.handlers}
      />
      <div class="composer-bar">
        <ComposerTools
          {...{ field, text, place, ready }}
          handle={tools}
          isForNew={submit.hasIcon === true}
          attach={attaching.attach}
        />
        <Remaining
          left={measured.left}
          isWaiting={isWaiting && uploads.list.length > 0}
          hint={isTouch() || hasSwitch ? '' : words.sendWith(submit.label, sendsByEnter ? 'Enter' : 'Ctrl+Enter')}
        />
        {hasSwitch && (
          <label class="enter-switch muted">
            <input
              type="checkbox"
              checked={sendsByEnter}
              onChange={() => void store.session.settings.edit({ enter_sends: !sendsByEnter }).catch(failed)}
            />
            {words.enterSwitch}
          </label>
        )}
        {props.children}
        <button
          type="button"
          class={submit.hasIcon ? 'icon-button send' : 'button primary'}
          part="send"
          aria-label={submit.label}
          aria-keyshortcuts={sendsByEnter ? 'Enter' : 'Control+Enter Meta+Enter'}
          disabled={measured.isEmpty || isTooLong || submit.isBusy === true}
          onPointerDown={keepFocus}
          onClick={trySubmit}
        >
          {submit.hasIcon ? <Icon name="send" /> : submit.label}
        </button>
      </div>
    </div>
  );
}

/** The attribute `enter` of the panel comes before the setting of the user. */
function useSendsByEnter(): boolean {
  const { store, enterSends } = usePanel();
  const setting = useCell(store.settings)?.enter_sends ?? true;
  return (enterSends ?? setting) && !isTouch();
}

/** Shows the text in the field when it changes elsewhere, and counts the characters that still fit. */
function useFieldText(field: Field, text: EditedText, limit: number) {
  const [status, setStatus] = useState({ isEmpty: true, left: undefined as number | undefined });
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
  return { ...status, measure };
}

interface AttachingOptions extends Pick<EditorProps, 'field' | 'uploads'> {
  limit: number;
  tools: RefObject<ToolsHandle | null>;
}

/** Files and texts that the user chooses, pastes or drops. */
function useAttaching({ field, uploads, limit, tools }: AttachingOptions) {
  const [, render] = useReducer((count: number) => count + 1, 0);
  const [isDropping, setIsDropping] = useState(false);
  /** A text that is too long for the field. */
  const [held, setHeld] = useState<string>();
  useEffect(() => uploads.listen(() => render(0)), [uploads]);
  const attach = (added: readonly File[]) => {
    const area = field.current;
    if (!area || added.length === 0) return;
    const placeholders = uploads.add(added);
    if (placeholders === '') return;
    const before = area.value.slice(0, area.selectionStart);
    insert(area, `${/\S$/.test(before) ? '\n' : ''}${placeholders}\n`);
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
    if (offersFiles(data)) {
      event.preventDefault();
      attach([...data.files]);
      return;
    }
    const pasted = data.getData('text/plain');
    if (hold(pasted) || tools.current?.onPaste(pasted)) event.preventDefault();
  };
  const onDrop = (event: DragEvent) => {
    const data = event.dataTransfer;
    if (data?.files.length === 0 && hold(data.getData('text/plain'))) event.preventDefault();
  };
  const latest = useRef(attach);
  latest.current = attach;
  useLayoutEffect(() => {
    // The whole conversation takes files, and a message that is edited takes its own.
    const around = (names: string) => field.current?.closest<HTMLElement>(names);
    const zone = around('article, .conversation') ?? around('.composer-box');
    return zone ? dropZone(zone, { attach: (files) => latest.current(files), setIsDropping }) : undefined;
  }, [field]);
  return { attach, held, release: () => setHeld(undefined), isDropping, handlers: { onPaste, onDrop } };
}

interface DropOptions {
  attach(files: readonly File[]): void;
  setIsDropping(isDropping: boolean): void;
}

/** @returns ends it */
function dropZone(zone: HTMLElement, { attach, setIsDropping }: DropOptions): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const listen = (type: 'dragover' | 'dragleave' | 'drop', run: (event: DragEvent) => void) =>
    zone.addEventListener(type, (event) => event.defaultPrevented || run(event), { signal });
  listen('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    setIsDropping(true);
  });
  listen('dragleave', ({ relatedTarget }) => {
    if (!zone.contains(relatedTarget as Node | null)) setIsDropping(false);
  });
  listen('drop', (event) => {
    setIsDropping(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    attach(files);
  });
  return () => ending.abort();
}

const insert = (area: HTMLTextAreaElement, text: string) =>
  typeText(area, area.selectionStart, area.selectionEnd, text);

/** Whether a name is at the caret, without knowing which. */
const isNaming = ({ value, selectionStart }: HTMLTextAreaElement) =>
  /(?:^|\s)[@:#][\p{L}\p{N}]\S*$/u.test(value.slice(Math.max(0, selectionStart - 80), selectionStart));

interface RemainingProps {
  left: number | undefined;
  isWaiting: boolean;
  hint: string;
}

/** Why the field cannot send the text yet, or the key that sends it. */
function Remaining({ left, isWaiting, hint }: RemainingProps): VNode {
  const { words } = usePanel();
  const isTooLong = left !== undefined && left < 0;
  const room = isTooLong ? words.charactersTooMany(-left) : left !== undefined && words.charactersLeft(left);
  return (
    <span class={isTooLong ? 'characters error-text' : 'characters muted'}>
      {isWaiting ? words.waitForUploads : room || hint}
    </span>
  );
}
