/** Removes the own status when its time is over. The API has no end of a status: its text says the time to others. */
import type { ChatStore } from '../../client/store/types.ts';

const LOOK_MS = 30_000;

interface End {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Of the status. Another status has no end, or its own. */
  readonly text: string;
  /** Without the time. */
  readonly plain: string;
}

/** With the site and the account, like all texts of the store: logging out removes it. */
const nameFor = ({ organization, me }: ChatStore) =>
  `parlance.status ${organization.get()?.realm_url} ${me.get()?.user_id} `;

/** Undefined: the status stays. */
export function keepEnd(store: ChatStore, end: End | undefined): void {
  try {
    if (end) localStorage.setItem(nameFor(store), JSON.stringify(end));
    else localStorage.removeItem(nameFor(store));
  } catch {
    // The status stays, and its text says until when.
  }
}

export function keptEnd(store: ChatStore): End | undefined {
  try {
    return JSON.parse(localStorage.getItem(nameFor(store)) ?? '') as End;
  } catch {
    return undefined;
  }
}

/** @param signal ends it */
export function watchStatusEnd(store: ChatStore, signal: AbortSignal): void {
  const look = async () => {
    const user_id = store.me.get()?.user_id;
    const end = keptEnd(store);
    if (!user_id || !end || store.status.get().state !== 'live' || store.now() < end.at) return;
    // Before the first request: another tab must not remove the next status.
    keepEnd(store, undefined);
    try {
      const { status } = await store.session.userStatus.get({ user_id });
      if (status.status_text === end.text) await store.session.userStatus.set({ status_text: '', emoji_name: '' });
    } catch {
      keepEnd(store, end);
    }
  };
  const timer = setInterval(look, LOOK_MS);
  const stop = store.status.subscribe(() => void look());
  signal.addEventListener('abort', () => {
    stop();
    clearInterval(timer);
  });
}
