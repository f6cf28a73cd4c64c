import type { LinkPreview } from '../../model/link-preview.ts';

/** A linked page, by the digest of its address. */
export interface StoredPreview {
  key: string;
  /** Whether the page was fetched. Otherwise, a process is fetching it. */
  is_fetched: boolean;
  /** null: the page has no preview, or is still being fetched. */
  preview: LinkPreview | null;
}

/** Fetched pages of links, until they expire. All methods commute with each other and with sending. */
export interface LinkPreviewStore {
  /** Those that have not expired. */
  byKeys(keys: readonly string[], nowMs: number): Promise<StoredPreview[]>;
  /**
   * Pages that were claimed since a time: for an account, and in total. Other transactions that count for the account
   * wait until this one ends.
   */
  claimedSince(accountId: number, sinceMs: number): Promise<{ own: number; all: number }>;
  /**
   * Claims pages that are not known or have expired, to fetch them until `untilMs`. Returns the keys that no other
   * process has claimed.
   */
  claim(keys: readonly string[], claim: { account_id: number; now: number; untilMs: number }): Promise<string[]>;
  /** Stores what a fetch has found, until it expires. */
  store(fetched: { key: string; preview: LinkPreview | null; now: number; expires_ms: number }): Promise<void>;
  /** When the first one expires. */
  nextExpiry(): Promise<number | undefined>;
  /** Removes at most `limit` expired ones. Returns their number. */
  removeExpired(nowMs: number, limit: number): Promise<number>;
}
