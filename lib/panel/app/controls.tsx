/** Fields, menus and lists of the app. */
import type { ComponentChildren, JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Button } from '../buttons.tsx';
import { Icon } from '../icons.tsx';
import { useApp } from '../words/app-words.ts';
import { useOpen } from './hooks.ts';

interface FieldProps {
  label: string;
  value: string;
  onInput(value: string): void;
  onEnter?: () => void;
  hint?: string;
  type?: 'text' | 'password' | 'search' | 'email';
  autocomplete?: string;
  maxLength?: number;
  isRequired?: boolean;
  isReadonly?: boolean;
  /** Focus it when its dialog or page opens. */
  isFocused?: boolean;
  /** The label is only for screen readers: the place of the field explains it. */
  isLabelHidden?: boolean;
  placeholder?: string;
}

export function Field(props: FieldProps): JSX.Element {
  const id = useId();
  const { label, value, onInput, onEnter, hint, type = 'text', isLabelHidden } = props;
  return (
    <div class="field">
      <label class={isLabelHidden ? 'visually-hidden' : 'field-label'} for={id}>
        {label}
      </label>
      <input
        id={id}
        class="input"
        type={type as 'text'}
        value={value}
        autocomplete={props.autocomplete ?? 'off'}
        maxLength={props.maxLength}
        required={props.isRequired}
        readOnly={props.isReadonly}
        autofocus={props.isFocused}
        placeholder={props.placeholder}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (!onEnter || event.key !== 'Enter' || event.isComposing) return;
          event.preventDefault();
          onEnter();
        }}
      />
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export interface OpenMenu {
  /** The button. */
  beside: HTMLElement;
  label: string;
  onClose(): void;
}

interface MenuButtonProps {
  label: string;
  /** What the button shows. Default: three dots. */
  face?: ComponentChildren;
  /** Renders the menu while it is open. */
  children(menu: OpenMenu): ComponentChildren;
}

export function MenuButton({ label, face, children }: MenuButtonProps): JSX.Element {
  const button = useRef<HTMLButtonElement>(null);
  const { isOpen, open, close } = useOpen();
  /** Pressing the button closes the open menu first, and the click must not open it again. */
  const wasOpen = useRef<boolean | undefined>(undefined);
  return (
    <>
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerDown={() => {
          wasOpen.current = isOpen;
        }}
        onClick={() => {
          if (wasOpen.current ?? isOpen) close();
          else open();
          wasOpen.current = undefined;
        }}
      >
        {face ?? <Icon name="more" />}
      </button>
      {isOpen && button.current && children({ beside: button.current, label, onClose: close })}
    </>
  );
}

/** A number of unread messages. */
interface BadgeProps {
  count: number;
  /** Not counted in totals: muted. */
  isQuiet?: boolean;
  hasMention?: boolean;
}

export function Badge({ count, isQuiet, hasMention }: BadgeProps): JSX.Element | null {
  const { words, formats } = useApp();
  if (count === 0) return null;
  return (
    <span class={`badge ${isQuiet ? 'badge-quiet' : ''}`}>
      {hasMention && <span class="badge-mention">@</span>}
      <span aria-hidden="true">{count > 999 ? '999+' : formats.number(count)}</span>
      <span class="visually-hidden">
        {words.unreadCount(count)}
        {hasMention && `, ${words.withMention}`}
      </span>
    </span>
  );
}

/** The start of a long list, and a button that shows `step` more. `isKept`: the list always has it. */
export function useLimited<T>(items: readonly T[], first: number, step = first, isKept?: (item: T) => boolean) {
  const { words } = useApp();
  const [limit, setLimit] = useState(first);
  const shown = items.filter((item, index) => index < limit || isKept?.(item));
  const rest = items.length - shown.length;
  const more = rest > 0 && <Button onClick={() => setLimit(limit + step)}>{words.showMore(rest)}</Button>;
  return { shown, more };
}

interface LimitedListProps<T> {
  items: readonly T[];
  first?: number;
  isKept?(item: T): boolean;
  children(item: T): ComponentChildren;
}

export function LimitedList<T>({ items, first = 100, isKept, children }: LimitedListProps<T>): JSX.Element {
  const { shown, more } = useLimited(items, first, 200, isKept);
  return (
    <>
      {shown.map(children)}
      {more && <li class="show-more">{more}</li>}
    </>
  );
}
