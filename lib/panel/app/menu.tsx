/** A list of actions beside a button. */
import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { Popover } from '../dialog.tsx';
import { MenuButton, type OpenMenu } from './controls.tsx';

interface MenuProps {
  label: string;
  /** Rendered while the menu is open. */
  items(): ComponentChildren;
}

/** The button with its menu. */
export function Menu({ label, items }: MenuProps): JSX.Element {
  return <MenuButton label={label}>{(menu) => <MenuPopover {...menu}>{items()}</MenuPopover>}</MenuButton>;
}

export function MenuPopover({ children, ...menu }: OpenMenu & { children: ComponentChildren }): JSX.Element {
  return (
    <Popover {...menu} role="menu">
      <CloseMenuContext.Provider value={menu.onClose}>{children}</CloseMenuContext.Provider>
    </Popover>
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
