import type { ComponentChildren, TargetedKeyboardEvent, VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useAction } from './app/hooks.ts';
import { Button, ErrorText, Form, IconButton } from './buttons.tsx';
import { usePanel } from './context.ts';
import styles from './dialog.css';
import { addIcons } from './icons.tsx';
import { LARGE_OVERLAY_ICONS, OVERLAY_ICONS } from './overlay-icons.ts';
import { addStyles } from './style-sheets.ts';

addStyles(styles);
addIcons(OVERLAY_ICONS);
addIcons(LARGE_OVERLAY_ICONS, 24);

interface DialogProps {
  title: string;
  children: ComponentChildren;
  /** Called after it closed, also by Escape. */
  onClose(): void;
}

/** A modal dialog. Give it `key` so that each opening is a new one. */
export function Dialog({ title, children, onClose }: DialogProps): VNode {
  const { words } = usePanel();
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  const onPress = ({ target }: Event) => target === element.current && onClose();
  return (
    <dialog
      ref={element}
      part="dialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={onPress}
    >
      <div class="dialog-content">
        <header>
          <h2 id={titleId}>{title}</h2>
          <IconButton icon="close" label={words.close} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}

interface ActionFormProps {
  /** The text of the button. */
  submit: string;
  isDangerous?: boolean;
  children?: ComponentChildren;
  /** If it fails, the form shows why and stays. */
  run(): Promise<unknown>;
  onClose(): void;
}

/** A form with one action and a way out. */
export function ActionForm({ submit, isDangerous = false, children, run, onClose }: ActionFormProps): VNode {
  const { words } = usePanel();
  const action = useAction();
  const onSubmit = async () => {
    if (await action.run(run)) onClose();
  };
  return (
    <Form class="dialog-form" onSubmit={onSubmit}>
      {children}
      <ErrorText action={{ error: action.error && words.actionFailed(action.error) }} />
      <footer>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button kind={isDangerous ? 'danger' : 'primary'} isSubmit isDisabled={action.isRunning}>
          {submit}
        </Button>
      </footer>
    </Form>
  );
}

interface PopoverProps {
  /** The element that it belongs to. It has the focus again afterwards. */
  beside: HTMLElement;
  label: string;
  role: 'menu' | 'dialog';
  children: ComponentChildren;
  onClose(): void;
}

/** Pixels between the popover, its element and the edges of the window. */
const GAP = 4;

/** A menu or another small window beside an element. Escape or a click elsewhere closes it. */
export function Popover({ beside, label, role, children, onClose }: PopoverProps): VNode {
  const element = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const popover = element.current;
    if (!popover) return;
    popover.showPopover();
    // Again when its content has loaded.
    const sizes = new ResizeObserver(() => place(popover, beside));
    place(popover, beside);
    sizes.observe(popover);
    if (role === 'menu') focusables(popover)[0]?.focus();
    const onToggle = (event: Event) => (event as ToggleEvent).newState === 'closed' && close.current();
    popover.addEventListener('toggle', onToggle);
    return () => {
      // The browser gives it back only if the user closes the popover, not if an item does.
      if (popover.matches(':focus-within')) beside.focus({ preventScroll: true });
      sizes.disconnect();
      popover.removeEventListener('toggle', onToggle);
    };
  }, []);
  const attributes = {
    role,
    'aria-label': label,
    ...(role === 'menu' && { onKeyDown: moveInMenu }),
  };
  return (
    <div ref={element} popover="auto" class={`popover ${role}`} part="popover" {...attributes}>
      {children}
    </div>
  );
}

const focusables = (popover: HTMLElement) => [...popover.querySelectorAll<HTMLElement>('button:enabled')];

/** Below the element if there is room, else above; within the window. On phones the style sheet puts it at the bottom. */
function place(popover: HTMLElement, beside: HTMLElement): void {
  if (getComputedStyle(popover).getPropertyValue('--is-sheet').trim() === '1') return;
  const around = beside.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const isRightToLeft = getComputedStyle(beside).direction === 'rtl';
  const left = isRightToLeft ? around.left : around.right - width;
  const hasRoomBelow = around.bottom + GAP + height <= clientHeight;
  const top = hasRoomBelow ? around.bottom + GAP : Math.max(GAP, around.top - GAP - height);
  popover.style.left = `${Math.max(GAP, Math.min(left, clientWidth - width - GAP))}px`;
  popover.style.top = `${top}px`;
}

function moveInMenu(event: TargetedKeyboardEvent<HTMLElement>): void {
  const items = focusables(event.currentTarget);
  const at = items.indexOf(event.target as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1, Tab: at }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  items.at(to % items.length)?.focus();
}
