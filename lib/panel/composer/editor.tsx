/** A text field for Markdown, with completion, emoji, files and a limit. */

import type { ComponentChildren, RefObject, TargetedKeyboardEvent, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Place } from '../../client/store/types.ts';
import { useCell, usePanel } from '../context.ts';
import { Icon } from '../icons.tsx';
import { useFailures } from '../messages/list-context.ts';
import { useDeferred } from '../words/deferred-words.ts';
import { Completion, type CompletionHandle } from './completion.tsx';
import { charactersLeft, type EditedText, growField, insertText, isTouch, keepFocus, showText } from './text.ts';
import { ComposerTools, type ToolsHandle } from './tools.tsx';

/** If the server has not said yet. */
const DEFAULT_MAX_LENGTH = 10_000;

type Field = RefObject<HTMLTextAreaElement | null>;

interface EditorProps {
  readonly field: Field;
  readonly text: EditedText;
  readonly place: Place;
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
  const { field, text, place, submit, onSubmit, onType } = props;
  const { store, words, enterSends } = useDeferred();
  const limit = useCell(store.organization)?.max_message_length ?? DEFAULT_MAX_LENGTH;
  const sendsByEnter = useSendsByEnter();
  // A page that sets the attribute has decided.
  const hasSwitch = submit.hasIcon && enterSends === undefined && !isTouch();
  const { isEmpty, left, measure } = useFieldText(field, text, limit);
  const tools = useRef<ToolsHandle>(null);
  const { isWaiting, stopWaiting, ready } = useReadiness(props, limit, tools);
  const trySubmit = () => {
    const content = ready();
    if (content !== undefined) onSubmit(content);
  };
  const isTooLong = left !== undefined && left < 0;
  return (
    <div class="composer-box">
      <CompletedField
        {...props}
        {...{ tools, sendsByEnter, isTooLong, trySubmit }}
        onType={(value) => {
          text.set(value);
          measure();
          stopWaiting();
          onType?.(value);
        }}
      />
      <div class="composer-bar">
        <ComposerTools
          {...{ field, text, place, ready, limit }}
          handle={tools}
          isForNew={submit.hasIcon === true}
          onFinished={stopWaiting}
        />
        <Remaining
          left={left}
          isWaiting={isWaiting}
          hint={isTouch() || hasSwitch ? '' : words.sendWith(submit.label, sendsByEnter ? 'Enter' : 'Ctrl+Enter')}
        />
        {hasSwitch && <EnterSwitch sendsByEnter={sendsByEnter} />}
        {props.children}
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

interface FieldProps extends EditorProps {
  readonly tools: RefObject<ToolsHandle | null>;
  readonly sendsByEnter: boolean;
  readonly isTooLong: boolean;
  trySubmit(): void;
  onType(text: string): void;
}

/** The text area, with its completions and keys. */
function CompletedField(props: FieldProps): VNode {
  const { field, place, label, placeholder, tools, sendsByEnter, isTooLong, trySubmit, onType, onEscape } = props;
  const completion = useRef<CompletionHandle>(null);
  const complete = () => {
    completion.current?.refresh();
  };
  const onEnter = () => {
    if (sendsByEnter) trySubmit();
    else insertText(field.current, '\n');
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    // Keys of an input method. Safari says so by the code alone.
    if (event.isComposing || event.keyCode === 229) return;
    if (completion.current?.onKeyDown(event)) return;
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
    if (tools.current?.onKeyDown(event)) {
      // The tools have changed the text.
    } else if (event.key === 'Enter' && (isCommand || (sendsByEnter && !event.shiftKey))) trySubmit();
    else if (event.key === 'Escape' && onEscape) onEscape();
    else return;
    event.preventDefault();
    // Shortcuts of the list and the page stay out.
    event.stopPropagation();
  };
  return (
    <>
      <Completion field={field} place={place} handle={completion} onEnter={onEnter} />
      <textarea
        ref={field}
        class="composer-field"
        part="composer-field"
        rows={1}
        dir="auto"
        aria-label={label}
        placeholder={placeholder}
        enterkeyhint={sendsByEnter ? 'send' : 'enter'}
        autocomplete="off"
        aria-invalid={isTooLong}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        onInput={({ currentTarget }) => {
          onType(currentTarget.value);
          complete();
        }}
        onKeyDown={onKeyDown}
        onClick={complete}
        onKeyUp={(event) => /^(Arrow|Home|End|Page)/.test(event.key) && complete()}
        onBlur={() => completion.current?.close()}
        onPaste={(event) => {
          if (event.clipboardData && tools.current?.onPaste(event.clipboardData)) event.preventDefault();
        }}
      />
    </>
  );
}

/** Whether the text can be submitted now, and whether the user waits for uploads. */
function useReadiness({ field, text, submit }: EditorProps, limit: number, tools: FieldProps['tools']) {
  const { words, announce } = useDeferred();
  const [isWaiting, setIsWaiting] = useState(false);
  /** The text, if the user can submit it now. */
  const ready = () => {
    const value = field.current?.value ?? '';
    const left = charactersLeft(value, limit) ?? 0;
    if (submit.isBusy || !/\S/.test(value)) return undefined;
    if (left < 0) announce(words.charactersTooMany(-left));
    else if (tools.current?.finish() ?? true) return text.get();
    else {
      setIsWaiting(true);
      announce(words.waitForUploads);
    }
    return undefined;
  };
  return { isWaiting, stopWaiting: () => setIsWaiting(false), ready };
}

function EnterSwitch({ sendsByEnter }: { sendsByEnter: boolean }): VNode {
  const { store, words } = useDeferred();
  const failed = useFailures();
  return (
    <label class="enter-switch muted">
      <input
        type="checkbox"
        checked={sendsByEnter}
        onChange={() => void store.session.settings.edit({ enter_sends: !sendsByEnter }).catch(failed)}
      />
      {words.enterSwitch}
    </label>
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
  const [status, setStatus] = useState<{ isEmpty: boolean; left: number | undefined }>({
    isEmpty: true,
    left: undefined,
  });
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

interface RemainingProps {
  left: number | undefined;
  isWaiting: boolean;
  hint: string;
}

/** Why the field cannot send the text yet, or the key that sends it. */
function Remaining({ left, isWaiting, hint }: RemainingProps): VNode {
  const { words } = useDeferred();
  const isTooLong = left !== undefined && left < 0;
  const room = isTooLong ? words.charactersTooMany(-left) : left !== undefined && words.charactersLeft(left);
  return (
    <span class={isTooLong ? 'characters error-text' : 'characters muted'}>
      {isWaiting ? words.waitForUploads : room || hint}
    </span>
  );
}
