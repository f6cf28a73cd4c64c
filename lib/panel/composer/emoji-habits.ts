/** What this account has picked in this browser: emoji and skin tone. */
import type { ChatStore, EmojiRef } from '../../client/store/types.ts';

const MAX_RECENT = 16;

interface Habits {
  /** The newest first. */
  readonly recent: readonly Required<EmojiRef>[];
  /** 0: none. */
  readonly tone: number;
}

/** With the site and the account, like all texts of the store: logging out removes it. */
const nameFor = ({ organization, me }: ChatStore) =>
  `parlance.emoji ${organization.get()?.realm_url} ${me.get()?.user_id} `;

export function habitsOf(store: ChatStore): Habits {
  try {
    const { recent, tone } = JSON.parse(localStorage.getItem(nameFor(store)) ?? '') as Partial<Habits>;
    return { recent: Array.isArray(recent) ? recent.slice(0, MAX_RECENT) : [], tone: Number(tone) || 0 };
  } catch {
    // Nothing is stored, or the browser has no storage.
    return { recent: [], tone: 0 };
  }
}

export function rememberEmoji(store: ChatStore, emoji: Required<EmojiRef>): void {
  const { recent, tone } = habitsOf(store);
  const others = recent.filter(({ emoji_code }) => emoji_code !== emoji.emoji_code);
  keep(store, { recent: [emoji, ...others].slice(0, MAX_RECENT), tone });
}

export const rememberTone = (store: ChatStore, tone: number) => keep(store, { ...habitsOf(store), tone });

function keep(store: ChatStore, habits: Habits): void {
  try {
    localStorage.setItem(nameFor(store), JSON.stringify(habits));
  } catch {
    // The picker then shows no recent emoji.
  }
}
