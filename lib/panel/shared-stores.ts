/** Stores of the panels of a page. Panels with the same site and login share one. */
import type { Session } from '../chat/session.ts';
import { connect } from '../client/browser-session.ts';
import { createChatStore } from '../client/store/chat-store.ts';
import type { ChatStore } from '../client/store/types.ts';

/** A store without panels goes on for this long: a page that replaces a panel keeps its data. */
const UNUSED_STORE_MS = 5000;

/** Fetches a short-lived token for this site. Called again before it expires. */
export type TokenCallback = () => Promise<string> | string;

/** How a panel signs in. The first of these that is there counts. */
export interface Login {
  readonly store?: ChatStore | undefined;
  readonly session?: Session | undefined;
  readonly token?: TokenCallback | undefined;
  /** Absolute. Without the others, the browser's cookie of this site is the login. */
  readonly site: string;
}

interface Shared {
  readonly store: ChatStore;
  panels: number;
  end: ReturnType<typeof setTimeout> | undefined;
  stop(): void;
}

const bySite = new Map<string, Shared>();
const byToken = new WeakMap<TokenCallback, Map<string, Shared>>();
const bySession = new WeakMap<Session, Map<string, Shared>>();

/** The use of a store by one panel. */
export interface Lease {
  readonly store: ChatStore;
  release(): void;
}

/** @throws TypeError if `site` is not a valid site address */
export function leaseStore({ store, session, token, site }: Login): Lease {
  // The page starts and stops a store of its own.
  if (store) return { store, release: () => undefined };
  const stores = session ? within(bySession, session) : token ? within(byToken, token) : bySite;
  const shared: Shared =
    stores.get(site) ??
    open({ session, token, site }, () => {
      // After a change of the account, there is another one.
      if (stores.get(site) === shared) stores.delete(site);
    });
  stores.set(site, shared);
  shared.panels += 1;
  clearTimeout(shared.end);
  let isReleased = false;
  return {
    store: shared.store,
    release: () => {
      if (isReleased) return;
      isReleased = true;
      shared.panels -= 1;
      if (shared.panels === 0) shared.end = setTimeout(() => shared.stop(), UNUSED_STORE_MS);
    },
  };
}

/** Ends a store whose login is that of another account, so that the next panel starts with that account. */
export function endStore(store: ChatStore, { token, site }: Login): void {
  const shared = (token ? byToken.get(token) : bySite)?.get(site);
  if (shared?.store === store) shared.stop();
}

function within<K extends object>(map: WeakMap<K, Map<string, Shared>>, key: K): Map<string, Shared> {
  const found = map.get(key) ?? new Map<string, Shared>();
  map.set(key, found);
  return found;
}

function open({ session, token, site }: Login, forget: () => void): Shared {
  const own = session ? undefined : connect({ site, ...(token && { token }) });
  const store = createChatStore((session ?? own) as Session, { site });
  store.start();
  // The last event that a page gets before it is closed.
  const flush = () => {
    if (document.visibilityState === 'hidden') void store.flush();
  };
  document.addEventListener('visibilitychange', flush);
  return {
    store,
    panels: 0,
    end: undefined,
    stop: () => {
      forget();
      document.removeEventListener('visibilitychange', flush);
      store.stop().finally(() => own?.close());
    },
  };
}
