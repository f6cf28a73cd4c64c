import type { ErasedPerson, StoredTexts } from '../../rules/erasure.ts';
import type { Upload } from './uploads.ts';

/** Tables with texts that may mention a user. */
export type MentioningTable = 'messages' | 'edits' | 'scheduled_messages' | 'reminders' | 'drafts' | 'reports';

/** A row with a text and its HTML. Empty: the row has none. */
export interface MentioningRow extends StoredTexts {
  id: number;
}

/** Removes the data of one person. The account, messages and files have separate stores. */
export interface ErasureStore {
  /** Messages of the account, and its files: all of them, or only those that no message links to. */
  countOf(userId: number): Promise<{ messages: number; files: number; unlinked: number }>;
  /** Deletes rows that only the account uses, such as drafts, topic settings, devices and sessions. */
  removeRecords(userId: number): Promise<void>;
  /** Replaces the address in invitations, which end, and deletes links that confirm it. */
  removeAddress(address: string, replacement: string, nowMs: number): Promise<void>;
  /** Deletes waiting and failed side effects, and stored answers of others, that contain the name or the address. */
  removeCopies(person: ErasedPerson): Promise<void>;
  /** Removes network addresses from at most `limit` audit entries of the account; returns their number. */
  removeNetworks(userId: number, limit: number): Promise<number>;
  /** Empties reports by the account, and with `texts` also the reported texts of the account. */
  emptyReports(userId: number, options: { texts: boolean }): Promise<void>;
  /** At most `limit` files of the account, also incomplete ones. With `unlinked`, only those without a message. */
  files(userId: number, options: { unlinked: boolean }, limit: number): Promise<Upload[]>;
  /** The newest ID of the table. */
  newest(table: MentioningTable): Promise<number>;
  /** The rows after one ID and up to another that may mention the person. */
  mentioning(table: MentioningTable, person: ErasedPerson, after: number, upTo: number): Promise<MentioningRow[]>;
  /** Replaces the texts of a row. Messages do not become edited messages. */
  rewrite(table: MentioningTable, row: MentioningRow): Promise<void>;
  /** At most `limit` messages of the account after an ID. */
  messagesOf(userId: number, after: number, limit: number): Promise<MentioningRow[]>;
  /** Deletes the earlier versions of these messages. Moves stay. */
  removeEarlierTexts(messageIds: readonly number[]): Promise<void>;
  /** Submessages of the account in messages of others, such as votes: deletes at most `limit`; returns their number. */
  removeSubmessages(userId: number, limit: number): Promise<number>;
  /**
   * Reads at most `limit` known words after a word, in order. Returns the last of them, and those that no message
   * contains. undefined: there are no further words, or the engine has no list.
   */
  unusedWords(after: string, limit: number): Promise<{ last: string; unused: string[] } | undefined>;
  /** Removes known words, unless a message contains them. */
  removeWords(words: readonly string[]): Promise<void>;
}
