/** A text that somebody keeps under a key. */
export interface BotStorageEntry {
  key: string;
  value: string;
}

/** With what it adds to an answer. */
export interface SizedBotStorageEntry extends BotStorageEntry {
  bytes: number;
}

/** Of an account. */
export interface BotStorageSize {
  entries: number;
  bytes: number;
}

export interface BotStorageSizes {
  all: BotStorageSize;
  /** Of each key that was asked about and is there. */
  named: { key: string; bytes: number }[];
}

/** Every entry belongs to one account, and is there for nobody else. */
export interface BotStorageStore {
  /** Ordered by key: all of them, or those with these keys that there are. */
  of(userId: number, keys?: readonly string[]): Promise<BotStorageEntry[]>;
  /** Asked before anything is changed: whoever else asks it of this account waits until the transaction ends. */
  sizes(userId: number, keys: readonly string[]): Promise<BotStorageSizes>;
  /** Puts them in the place of those with their keys, each of which is named once; `size` is that of all then. */
  set(userId: number, entries: readonly SizedBotStorageEntry[], size: BotStorageSize): Promise<void>;
  /** Likewise removes those with these keys. */
  remove(userId: number, keys: readonly string[], size: BotStorageSize): Promise<void>;
  removeAll(userId: number): Promise<void>;
}
