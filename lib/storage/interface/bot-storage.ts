/** A text that somebody keeps under a key. */
export interface BotStorageEntry {
  key: string;
  value: string;
}

/** An entry with the bytes that it adds to an answer. */
export interface SizedBotStorageEntry extends BotStorageEntry {
  bytes: number;
}

/** How many entries an account has, and their bytes in an answer. */
export interface BotStorageSize {
  entries: number;
  bytes: number;
}

export interface BotStorageSizes {
  all: BotStorageSize;
  /** The bytes of each entry whose key was asked about; keys without an entry are left out. */
  named: { key: string; bytes: number }[];
}

/** Every entry belongs to one account, and is there for nobody else. */
export interface BotStorageStore {
  /** Ordered by key: all of them, or those with these keys that there are. */
  of(userId: number, keys?: readonly string[]): Promise<BotStorageEntry[]>;
  /** Asked before anything is changed: whoever else asks it of this account waits until the transaction ends. */
  sizes(userId: number, keys: readonly string[]): Promise<BotStorageSizes>;
  /** Adds entries, or replaces those with the same keys; no key comes twice. `size`: what the account has then. */
  set(userId: number, entries: readonly SizedBotStorageEntry[], size: BotStorageSize): Promise<void>;
  /** Removes the entries with these keys. `size`: what the account has then. */
  remove(userId: number, keys: readonly string[], size: BotStorageSize): Promise<void>;
  removeAll(userId: number): Promise<void>;
}
