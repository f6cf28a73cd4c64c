/** The title of the document: unread messages, the view, the organization. */
import { createContext } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { useCell, usePanel } from '../context.ts';

/** Whether the page is the app's, and with it the title and the address. */
export const OwnsPageContext = createContext(false);

/** Milliseconds until the title counts a new message. */
const COUNT_MS = 250;

export function useTitle(title: string): void {
  const ownsPage = useContext(OwnsPageContext);
  const { store, words } = usePanel();
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
    const timer = setTimeout(set, COUNT_MS);
    return () => clearTimeout(timer);
  }, [ownsPage, title, total, organization, words]);
}
