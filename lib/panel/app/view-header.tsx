/**
 * The heading of a view. It gets the focus when the view opens, so that keyboards and screen readers start there.
 * On a page with a field to fill in first, the field gets it.
 */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { usePanel } from '../context.ts';
import { IconButton } from './controls.tsx';
import { Icon, type IconName } from './icons.tsx';
import { useRouter } from './router.tsx';
import { useTitle } from './title.ts';

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
  const { words, announce } = usePanel();
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
        {detail && <p class="muted view-detail">{detail}</p>}
      </div>
      <div class="view-actions">{children}</div>
    </header>
  );
}
