/** Ends the login of this browser. */
import { useContext } from 'preact/hooks';
import { usePanel } from '../context.ts';
import { OwnsPageContext } from './view-header.tsx';

/**
 * Undefined where the app has no login of its own. Embedded panels have that of their page. Where the host has one, the
 * page of the app hides the part `sign-out`.
 */
export function useSignOut(): (() => Promise<void>) | undefined {
  const { store, site, hidden } = usePanel();
  const ownsPage = useContext(OwnsPageContext);
  if (!ownsPage || hidden.has('sign-out')) return undefined;
  const endLogin = async () => {
    const account = String(store.me.get()?.user_id);
    const { ok, status } = await fetch(`${site}/logout`, { method: 'POST', headers: { 'parlance-account': account } });
    // Where the login is that of another account, the store notices.
    if (status === 409) await store.session.users.me();
    if (!ok) throw new Error(`${status}`);
  };
  return async () => {
    await store.logOut(endLogin);
    location.assign(`${site}/login`);
  };
}
