import type { DraftStorage, Warning } from './types.ts';

interface Dependencies {
  storage: DraftStorage | null;
  /** Separates the accounts that use this storage. Undefined before the first data. */
  owner(): string | undefined;
  /** Replaces the warnings that the user sees. */
  warn(warnings: readonly Warning[]): void;
}

/** What one account keeps in the storage of the browser, which may be full or blocked. */
export class AccountStorage {
  constructor(private readonly dependencies: Dependencies) {}

  get owner(): string | undefined {
    return this.dependencies.owner();
  }

  get(kind: string, key: string): string | undefined {
    try {
      return (this.owner && this.dependencies.storage?.getItem(this.#name(kind, key))) || undefined;
    } catch {
      return undefined;
    }
  }

  /** Undefined removes the text. Returns false if the browser refuses: the storage stays as it is. */
  set(kind: string, key: string, text: string | undefined): boolean {
    const { storage, warn } = this.dependencies;
    if (!this.owner) return true;
    try {
      const name = this.#name(kind, key);
      if (text === undefined) storage?.removeItem(name);
      else {
        storage?.setItem(name, text);
        warn([]);
      }
      return true;
    } catch {
      warn(['not_stored']);
      return false;
    }
  }

  /** Removes all that this account keeps here. */
  clear(): void {
    const { storage } = this.dependencies;
    try {
      const names = Array.from({ length: storage?.length ?? 0 }, (_, at) => storage?.key(at) ?? '');
      for (const name of names) if (this.#isOwn(name)) storage?.removeItem(name);
    } catch {
      // Nothing is stored.
    }
  }

  #name(kind: string, key: string): string {
    return `parlance.${kind} ${this.owner} ${key}`;
  }

  #isOwn(name: string): boolean {
    const [kind = '', site, account] = name.split(' ');
    return kind.startsWith('parlance.') && `${site} ${account}` === this.owner;
  }
}

/** What a text of the storage says. Undefined if it is none of ours. */
export function parsed<T>(stored: string): T | undefined {
  try {
    return JSON.parse(stored) as T;
  } catch {
    return undefined;
  }
}

/** Reading it throws where cookies are blocked. */
export function browserStorage(): DraftStorage | null {
  try {
    return (globalThis as { localStorage?: DraftStorage }).localStorage ?? null;
  } catch {
    return null;
  }
}
