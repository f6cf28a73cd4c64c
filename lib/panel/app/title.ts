/** The title of the document: unread messages, the view, the organization. */
import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { useCell, usePanel } from '../context.ts';

/** Whether the page is the app's, and with it the title and the address. */
export const OwnsPageContext = createContext(false);

export function useTitle(title: string): void {
  const ownsPage = useContext(OwnsPageContext);
  const { store, words } = usePanel();
  const { total } = useCell(store.unread);
  const organization = useCell(store.organization);
  useEffect(() => {
    if (!ownsPage) return;
    const full = [title, organization?.realm_name].filter(Boolean).join(' · ');
    document.title = total > 0 ? words.titleWithUnread(total, full) : full;
  }, [ownsPage, title, total, organization, words]);
}
