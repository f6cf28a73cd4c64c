import type { WriteKind } from '../interface/storage.ts';

interface WriteTraits {
  /** How it holds the lock of writers. */
  lock: 'exclusive' | 'shared';
  /** Shares its transaction with others that arrive together. */
  isGrouped: boolean;
  /** Other processes are notified of the commit. */
  notifies: boolean;
}

/** What each kind of write does on PostgreSQL. On SQLite, all kinds do the same. */
export const WRITE_KINDS: Readonly<Record<WriteKind, WriteTraits>> = {
  write: { lock: 'exclusive', isGrouped: false, notifies: true },
  mark: { lock: 'shared', isGrouped: false, notifies: true },
  append: { lock: 'shared', isGrouped: true, notifies: true },
  silent: { lock: 'shared', isGrouped: false, notifies: false },
};
