/**
 * The heading of a view. It gets the focus when the view opens, so that keyboards and screen readers start there.
 * On a page with a field to fill in first, the field gets it.
 */

import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { IconButton } from '../buttons.tsx';
import { useCell } from '../context.ts';
import { Icon, type IconName } from '../icons.tsx';
import { useApp } from '../words/app-words.ts';
import { useRouter } from './router.tsx';

interface ViewHeaderProps {
  title: string;
  icon?: IconName;
  /** Before the title, in place of an icon. */
  lead?: ComponentChildren;
  /** A second line. */
  detail?: ComponentChildren;
  /** Buttons at the end. */
  children?: ComponentChildren;
}

export function ViewHeader({ title, icon, lead, detail, children }: ViewHeaderProps): JSX.Element {
  const { words, announce } = useApp();
  const { route, visit, back, go } = useRouter();
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  useEffect(() => {
    // The page was opened with this view: the focus stays where the browser placed it.
    if (visit === 0) return;
    const field = heading.current?.closest('main')?.querySelector<HTMLElement>('[autofocus]');
    (field ?? heading.current)?.focus({ preventScroll: true });
    announce(title);
  }, [visit]);
  return (
    <header class="view-header">
      <span class="only-narrow">
        {route.view === 'inbox' ? (
          <IconButton icon="menu" label={words.openNavigation} onClick={() => go({ view: 'menu' })} />
        ) : (
          <IconButton icon="back" label={words.back} onClick={back} />
        )}
      </span>
      <span class="view-icon">{lead ?? (icon && <Icon name={icon} />)}</span>
      <div class="view-title">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {detail && <div class="muted view-detail">{detail}</div>}
      </div>
      <div class="view-actions">{children}</div>
    </header>
  );
}

// The title of the document: unread messages, the view, the organization.

/** Whether the page is the app's, and with it the title and the address. */
export const OwnsPageContext = createContext(false);

/** Milliseconds until the title counts a new message. */
const TITLE_DELAY_MS = 250;

function useTitle(title: string): void {
  const ownsPage = useContext(OwnsPageContext);
  const { store, words } = useApp();
  const { total } = useCell(store.unread);
  const organization = useCell(store.organization);
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (!ownsPage) return;
    const full = [title, organization?.realm_name].filter(Boolean).join(' · ');
    const set = () => {
      document.title = total > 0 ? words.titleWithUnread(total, full) : full;
    };
    if (shown.current !== full) set();
    shown.current = full;
    // A message in sight is unread for a moment, and each change of the title takes milliseconds.
    const timer = setTimeout(set, TITLE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [ownsPage, title, total, organization, words]);
}
