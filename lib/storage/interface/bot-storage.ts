export interface BotStorageEntry {
  key: string;
  value: string;
}

/** An entry with its size in a response. */
export interface SizedBotStorageEntry extends BotStorageEntry {
  bytes: number;
}

export interface BotStorageSize {
  entries: number;
  bytes: number;
}

export interface BotStorageSizes {
  all: BotStorageSize;
  /** Size of each requested entry. Keys without an entry are left out. */
  named: { key: string; bytes: number }[];
}

/** Every entry belongs to one account. */
export interface BotStorageStore {
  /** All entries, or those with these keys. Ordered by key. */
  of(userId: number, keys?: readonly string[]): Promise<BotStorageEntry[]>;
  /** Call it before a change: it locks the entries of the account until the transaction ends. */
  sizes(userId: number, keys: readonly string[]): Promise<BotStorageSizes>;
  /** Adds or replaces entries. Keys must be unique. @param size the new size of the account's storage */
  set(userId: number, entries: readonly SizedBotStorageEntry[], size: BotStorageSize): Promise<void>;
  /** Removes the entries with these keys. @param size the new size of the account's storage */
  remove(userId: number, keys: readonly string[], size: BotStorageSize): Promise<void>;
  removeAll(userId: number): Promise<void>;
}
