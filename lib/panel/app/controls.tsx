/** Fields, menus and lists of the app. */
import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button } from '../buttons.tsx';
import { Popover } from '../dialog.tsx';
import { Icon } from '../icons.tsx';
import { useApp } from '../words/app-words.ts';
import { useOpen } from './hooks.ts';

interface FieldProps {
  label: string;
  value: string;
  onInput(value: string): void;
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
  const { label, value, onInput, hint, type = 'text', isLabelHidden } = props;
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
      />
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/**
 * What a control shows: the choice of the user at once, and the saved value when it changes or saving failed.
 * @param save resolves to false if it failed
 */
function useChosen<T>(saved: T, save: (value: T) => unknown): [chosen: T, choose: (value: T) => void] {
  const [chosen, setChosen] = useState(saved);
  useEffect(() => setChosen(saved), [saved]);
  const choose = async (value: T) => {
    setChosen(value);
    if ((await save(value)) === false) setChosen(saved);
  };
  return [chosen, choose];
}

interface CheckProps {
  label: string;
  isChecked: boolean;
  /** Resolves to false if it failed. */
  onChange(isChecked: boolean): unknown;
  hint?: string;
  isDisabled?: boolean;
}

export function Check({ label, isChecked, onChange, hint, isDisabled }: CheckProps): JSX.Element {
  const id = useId();
  const [chosen, choose] = useChosen(isChecked, onChange);
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={chosen}
        disabled={isDisabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps<T extends string | number> {
  label: string;
  value: T;
  options: readonly (readonly [value: T, label: string])[];
  /** Resolves to false if it failed. */
  onChange(value: T): unknown;
}

export function Choice<T extends string | number>({ label, value, options, onChange }: ChoiceProps<T>): JSX.Element {
  const id = useId();
  const [chosen, choose] = useChosen(value, onChange);
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <select
        id={id}
        class="input"
        value={chosen}
        onChange={(event) => {
          const option = options.find(([choice]) => String(choice) === event.currentTarget.value);
          if (option) choose(option[0]);
        }}
      >
        {options.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface MenuProps {
  label: string;
  /** Rendered while the menu is open. */
  items(): ComponentChildren;
}

/** A button with a list of actions. */
export function Menu({ label, items }: MenuProps): JSX.Element {
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
        <Icon name="more" />
      </button>
      {isOpen && button.current && (
        <Popover beside={button.current} label={label} role="menu" onClose={close}>
          <CloseMenuContext.Provider value={close}>{items()}</CloseMenuContext.Provider>
        </Popover>
      )}
    </>
  );
}

const CloseMenuContext = createContext<() => void>(() => undefined);

export function MenuItem({ children, onClick }: { children: ComponentChildren; onClick(): void }): JSX.Element {
  const close = useContext(CloseMenuContext);
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      class="menu-item"
      onClick={() => {
        close();
        onClick();
      }}
    >
      {children}
    </button>
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
