/** The buttons below a composer, and its keys: files, emoji, formatting, preview, snippets, sending later. */

import type { ComponentChildren, RefObject, TargetedKeyboardEvent, VNode } from 'preact';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChatStore, Place } from '../../client/store/types.ts';
import { IconButton } from '../buttons.tsx';
import { usePanel } from '../context.ts';
import { addIcons, type IconName } from '../icons.tsx';
import { usesKeys } from '../keys.ts';
import { decide } from '../refusal.ts';
import { addStyles } from '../style-sheets.ts';
import { useTools } from '../words/tools-words.ts';
import { useAttaching } from './attaching.ts';
import { type Format, formatted, linked, type TextChange } from './formatting.ts';
import { type EditedText, insertText, isTouch, keepFocus, typeText } from './text.ts';
import { TOOL_ICONS } from './tool-icons.ts';
import {
  EmojiPopover,
  HeldText,
  Preview,
  ScheduledNotice,
  SendLater,
  SnippetPopover,
  UploadList,
} from './tool-parts.ts';
import styles from './tools.css';

addStyles(styles);
addIcons(TOOL_ICONS);

type Field = RefObject<HTMLTextAreaElement | null>;

/** Calls of the field. */
export interface ToolsHandle {
  /** True if the key was for the tools. */
  onKeyDown(event: KeyboardEvent): boolean;
  /** True if the browser need not insert it: files are attached, and an address makes the selection a link. */
  onPaste(data: DataTransfer): boolean;
  /** Call it before sending. False while files are on their way, or failed. */
  finish(): boolean;
}

export interface ToolsProps {
  readonly field: Field;
  readonly handle: RefObject<ToolsHandle | null>;
  readonly text: EditedText;
  readonly place: Place;
  /** The field is for new messages: the user can send them later, and typing on the page goes there. */
  readonly isForNew: boolean;
  /** Characters of a message. */
  readonly limit: number;
  /** The text. Undefined if the field cannot send it now. */
  ready(): string | undefined;
  /** No file is on its way any more. */
  onFinished(): void;
}

const FORMATS: readonly (readonly [format: Format, icon: IconName, key?: string])[] = [
  ['bold', 'bold', 'Ctrl+B'],
  ['italic', 'italic', 'Ctrl+I'],
  ['code', 'code'],
  ['link', 'link', 'Ctrl+Shift+K'],
  ['quote', 'quote'],
  ['list', 'list'],
];

export function ComposerTools(props: ToolsProps): VNode {
  const { field, handle, text, place, isForNew, limit, ready, onFinished } = props;
  const { store, words } = useTools();
  const { attach, take, uploads, held, release } = useAttaching({ field, text, limit });
  const isUploading = uploads.list.length > 0;
  useEffect(() => {
    if (!isUploading) onFinished();
  }, [isUploading]);
  const hasLists = useHasLists(store);
  const [isPreviewed, setPreviewed] = useState(false);
  useTypingAnywhere(field, isForNew);
  const change = (format: Format) => {
    if (field.current) changeText(field.current, (...selected) => formatted(format, ...selected));
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const format = formatOf(event);
    if (format) change(format);
    return format !== undefined || (isForNew && event.key === 'ArrowUp' && editLast(field.current, event, store));
  };
  useImperativeHandle(handle, () => ({
    onKeyDown,
    onPaste: (data) => take(data) || pasteLink(field.current, data.getData('text/plain').trim()),
    finish: () => uploads.finish(),
  }));
  return (
    <>
      {isUploading && <UploadList uploads={uploads} />}
      {held !== undefined && (
        <HeldText
          text={held}
          limit={limit}
          attach={attach}
          onClose={() => {
            release();
            field.current?.focus();
          }}
        />
      )}
      <AttachButton attach={attach} />
      <EmojiButton field={field} />
      <Formatting change={change}>
        <IconButton
          icon="preview"
          label={words.preview}
          tabIndex={-1}
          aria-pressed={isPreviewed}
          onPointerDown={keepFocus}
          onClick={() => setPreviewed(!isPreviewed)}
        />
        {hasLists && <SnippetButton field={field} />}
      </Formatting>
      {isForNew && hasLists && <LaterButton field={field} text={text} place={place} ready={ready} />}
      {isPreviewed && <Preview text={text} />}
    </>
  );
}

interface FormattingProps {
  change(format: Format): void;
  children: ComponentChildren;
}

/** A toolbar. Narrow screens hide it until it is open. */
function Formatting({ change, children }: FormattingProps): VNode {
  const { words } = useTools();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton
        icon="format"
        label={words.showFormatting}
        data-tool="format"
        aria-expanded={isOpen}
        onPointerDown={keepFocus}
        onClick={() => setOpen(!isOpen)}
      />
      <div
        class={isOpen ? 'formats open' : 'formats'}
        role="toolbar"
        aria-label={words.formatting}
        onKeyDown={moveInToolbar}
      >
        {FORMATS.map(([format, icon, key], index) => (
          <IconButton
            key={format}
            icon={icon}
            label={key ? words.withKey(words.formats[format], key) : words.formats[format]}
            tabIndex={index === 0 ? 0 : -1}
            onPointerDown={keepFocus}
            onClick={() => change(format)}
          />
        ))}
        {children}
      </div>
    </>
  );
}

/** A longer one is pasted as a text. */
const MAX_ADDRESS_LENGTH = 2000;

/** An address makes the selected text a link. @returns whether it has */
function pasteLink(area: HTMLTextAreaElement | null, address: string): boolean {
  const selected = area?.value.slice(area.selectionStart, area.selectionEnd);
  const isLink = address.length <= MAX_ADDRESS_LENGTH && /^https?:\/\/\S+$/.test(address);
  if (!area || !selected || !isLink || /[\n[\]]|^https?:/.test(selected)) return false;
  changeText(area, (...selection) => linked(...selection, address));
  return true;
}

/** Changes the text as if the user had typed it, and selects a part of it. */
function changeText(area: HTMLTextAreaElement, change: (text: string, start: number, end: number) => TextChange): void {
  const { from, to, insert, select } = change(area.value, area.selectionStart, area.selectionEnd);
  typeText(area, from, to, insert);
  area.setSelectionRange(...select);
}

/** Firefox has tools of its own at Ctrl+Shift+K, so L is also for links, as in Zulip's web app. */
function formatOf({ ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent): Format | undefined {
  if (!(ctrlKey || metaKey) || altKey) return undefined;
  const letter = key.toLowerCase();
  if (shiftKey) return letter === 'k' || letter === 'l' ? 'link' : undefined;
  return ({ b: 'bold', i: 'italic' } as const)[letter];
}

/** One stop for the Tab key. Arrows lead to the other buttons. */
function moveInToolbar(event: TargetedKeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>(':scope > button')];
  const at = buttons.indexOf(event.target as HTMLElement);
  const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
  const to = { ArrowRight: at + forward, ArrowLeft: at - forward, Home: 0, End: buttons.length - 1 }[event.key];
  if (to === undefined || at === -1) return;
  event.preventDefault();
  event.stopPropagation();
  const next = buttons.at(to % buttons.length);
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next?.focus();
}

/** Edits the last message of the user in the list. @returns whether there is one */
function editLast(area: HTMLTextAreaElement | null, event: KeyboardEvent, { me }: ChatStore): boolean {
  if (area?.value !== '' || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
  const rows = `.list article[data-id][data-sender="${me.get()?.user_id}"]`;
  const row = [...(area.closest('.conversation')?.querySelectorAll<HTMLElement>(rows) ?? [])].at(-1);
  if (!row) return false;
  row.scrollIntoView({ block: 'nearest' });
  // The list knows whether this message may be edited.
  row.dispatchEvent(new KeyboardEvent('keydown', { key: 'e', bubbles: true }));
  return true;
}

/** What the user types in the app while no field has the focus goes to the composer. */
function useTypingAnywhere(field: Field, isForNew: boolean): void {
  const { host } = usePanel();
  // Before the next key: until then, the app holds what the user types.
  useLayoutEffect(() => {
    // An embedded panel leaves keys outside of its fields to the page.
    if (!isForNew || host.getAttribute('view') !== 'app' || isTouch()) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
      // The space bar scrolls and presses buttons.
      const isText = ([...key].length === 1 && key !== ' ') || key === 'Dead' || key === 'Process';
      if (!isText || ctrlKey || metaKey || altKey || defaultPrevented) return;
      const path = event.composedPath();
      const isHere = path[0] === document.body || path.includes(host);
      if (usesKeys(path[0]) || !isHere) return;
      if (host.shadowRoot?.querySelector('dialog[open], :popover-open')) return;
      // The browser types the character into the field that has the focus now.
      field.current?.focus();
    };
    // Shortcuts of the list and of the app come first. They listen to elements inside the window.
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [field, host, isForNew]);
}

const answers = new WeakMap<ChatStore, Promise<boolean>>();

/** Whether the account has snippets and scheduled messages. Tokens for rooms have none. Asked once for each store. */
function useHasLists(store: ChatStore): boolean {
  const [hasLists, setHasLists] = useState(false);
  useEffect(() => {
    let isOver = false;
    const asked = answers.get(store) ?? decide(store, 'savedSnippets.list', {}).then(({ allowed }) => allowed);
    answers.set(store, asked);
    setHasLists(false);
    asked.then(
      (allowed) => isOver || setHasLists(allowed),
      () => answers.delete(store),
    );
    return () => {
      isOver = true;
    };
  }, [store]);
  return hasLists;
}

function AttachButton({ attach }: { attach(files: readonly File[]): void }): VNode {
  const { words } = useTools();
  const files = useRef<HTMLInputElement>(null);
  return (
    <>
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
    </>
  );
}

function EmojiButton({ field }: { field: Field }): VNode {
  const { words } = useTools();
  const [beside, setBeside] = useState<HTMLElement>();
  return (
    <>
      <IconButton
        icon="smile"
        label={words.insertEmoji}
        aria-haspopup="dialog"
        aria-expanded={beside !== undefined}
        onPointerDown={keepFocus}
        onClick={({ currentTarget }) => setBeside(beside ? undefined : currentTarget)}
      />
      {beside && (
        <EmojiPopover
          beside={beside}
          hasTones
          onClose={() => setBeside(undefined)}
          onPick={({ emoji_name }, character) => {
            setBeside(undefined);
            insertText(field.current, `${character ?? `:${emoji_name}:`} `);
          }}
        />
      )}
    </>
  );
}

function SnippetButton({ field }: { field: Field }): VNode {
  const { words } = useTools();
  const [beside, setBeside] = useState<HTMLElement>();
  return (
    <>
      <IconButton
        icon="snippet"
        label={words.snippets}
        tabIndex={-1}
        aria-haspopup="dialog"
        aria-expanded={beside !== undefined}
        onPointerDown={keepFocus}
        onClick={({ currentTarget }) => setBeside(beside ? undefined : currentTarget)}
      />
      {beside && (
        <SnippetPopover
          beside={beside}
          written={field.current?.value ?? ''}
          onClose={() => setBeside(undefined)}
          onPick={(content) => {
            setBeside(undefined);
            insertText(field.current, content);
          }}
        />
      )}
    </>
  );
}

/** Schedules the message. A line then shows its time, until the user writes another one. */
function LaterButton({ field, text, place, ready }: Pick<ToolsProps, 'field' | 'text' | 'place' | 'ready'>): VNode {
  const { store, words } = useTools();
  const [content, setContent] = useState<string>();
  const [isEmpty, setEmpty] = useState(false);
  useEffect(() => {
    const look = (value: string) => setEmpty(!/\S/.test(value));
    look(text.get());
    return text.listen(look);
  }, [text]);
  const [scheduled, setScheduled] = useState<{ id: number; at: number; content: string }>();
  return (
    <>
      <IconButton
        icon="clock"
        label={words.sendLater}
        aria-haspopup="dialog"
        disabled={isEmpty}
        onPointerDown={keepFocus}
        onClick={() => setContent(ready())}
      />
      {content !== undefined && (
        <SendLater
          content={content}
          place={place}
          onClose={() => setContent(undefined)}
          onScheduled={(id, at) => {
            text.set('');
            store.activity.stopTyping(place);
            setScheduled({ id, at, content });
          }}
        />
      )}
      {scheduled && content === undefined && (
        <ScheduledNotice {...{ field, text, scheduled }} onClose={() => setScheduled(undefined)} />
      )}
    </>
  );
}
