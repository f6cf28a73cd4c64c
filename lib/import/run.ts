import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ChatError } from '../base/errors.ts';
import { keysOf } from '../base/keys.ts';
import type { Engine } from '../engine/engine.ts';
import { PLACEHOLDER_DOMAIN } from '../rules/names.ts';
import { NOTIFICATION_BOT, systemActor } from '../rules/roles.ts';
import { type AccountContext, actingAs, type TransactionContext } from '../viewer/context.ts';
import type { ImportRecord, SourceReport } from './source.ts';

const ANYONE = { access: 'anyone' } as const;
const HOST = { userId: null, client: 'import' };

/** Milliseconds of a transaction. Other writers wait for it. */
const HOLD_MS = 150;
const SMALLEST_PART = 50;
const LARGEST_PART = 1_000;

/** The rows that a record becomes, about: itself, and those of its members and readers. Members of channels come later. */
export function weightOf(record: ImportRecord): number {
  if (record.type === 'message') return 1 + record.reactions.length + record.starredBy.length;
  return record.type === 'group' ? 1 + record.members.length : 1;
}

/** Conflicts that a result lists. It counts the others. */
const MAX_CONFLICTS = 1_000;

/** What an import counts. */
export type ImportKind = 'user' | 'group' | 'channel' | 'emoji' | 'message' | 'reaction' | 'file';

/** Options of `importChat`. */
export interface ImportOptions {
  /** Topic of channel messages outside of threads. Default: `general`. */
  topic?: string | undefined;
  /** Messages from this time on stay unread, in milliseconds since the epoch. Default: none. */
  unreadSince?: number | undefined;
  /** Download files that the export names by URL. Default: messages link to the URL. */
  download?: boolean | undefined;
  /** Send each new account an e-mail with a link to set a password. */
  invite?: boolean | undefined;
  /** Change nothing. The result has counts, losses and conflicts. */
  dryRun?: boolean | undefined;
  /** Called with each skipped row. */
  onReject?: ((row: RejectedRow) => void) | undefined;
  /** Called after each part, with the number of messages up to now. */
  onProgress?: ((progress: { messages: number }) => void) | undefined;
}

/** A row of an export that the import skips. */
export interface RejectedRow {
  /** Its place in the export. */
  at: string;
  /** Why the import skips it. */
  reason: string;
}

/** Result of `importChat`. */
export interface ImportResult {
  /** Number of new records. In a dry run, of records that would be new. */
  imported: Record<ImportKind, number>;
  /** Number of records that an earlier import has created. */
  present: Record<ImportKind, number>;
  /** Number of rows that are not valid. */
  rejected: number;
  /** Number of records that the chat cannot store, by description. */
  losses: Record<string, number>;
  /** Names and addresses that exist already, and how the import resolves each. At most 1,000. */
  conflicts: string[];
  /** Number of accounts that get an e-mail. */
  invited: number;
}

const none = (): Record<ImportKind, number> => ({
  user: 0,
  group: 0,
  channel: 0,
  emoji: 0,
  message: 0,
  reaction: 0,
  file: 0,
});

/** One call of `importChat`: its transactions and its result. */
export class ImportRun implements SourceReport {
  readonly result: ImportResult = {
    imported: none(),
    present: none(),
    rejected: 0,
    losses: {},
    conflicts: [],
    invited: 0,
  };
  /** In a dry run: keys of users that it would have created. */
  readonly planned = new Set<string>();
  /** In a dry run: names of custom emoji, and keys of files, that it would have created. */
  readonly plannedEmoji = new Set<string>();
  readonly plannedFiles = new Set<string>();
  others: OtherMessages = { reached: undefined, newest: new Map() };
  /** Weight of the records of the next transaction. */
  size: number;

  constructor(
    readonly engine: Engine,
    readonly options: ImportOptions,
  ) {
    // A dry run blocks no writer.
    this.size = options.dryRun ? LARGEST_PART : SMALLEST_PART;
  }

  lose(what: string, count = 1): void {
    this.result.losses[what] = (this.result.losses[what] ?? 0) + count;
  }

  reject(at: string, reason: string): void {
    this.result.rejected++;
    this.options.onReject?.({ at, reason });
  }

  conflict(message: string): void {
    if (this.result.conflicts.length < MAX_CONFLICTS) this.result.conflicts.push(message);
    else this.lose('further conflicts');
  }

  read<T>(work: (context: AccountContext) => Promise<T>): Promise<T> {
    return this.engine.transact(ANYONE, HOST, 'read', async (context) => work(await asHost(context)));
  }

  /** A write transaction. Sets the weight of the next one so that it takes `HOLD_MS`. */
  async write<T>(work: (context: AccountContext) => Promise<T>, weight = 0): Promise<T> {
    let start = performance.now();
    try {
      return await this.engine.transact(ANYONE, HOST, 'write', async (context) => {
        start = performance.now();
        return work(await asHost(context));
      });
    } finally {
      const heldMs = performance.now() - start;
      if (weight > 0)
        this.size = Math.max(
          SMALLEST_PART,
          Math.min(LARGEST_PART, 2 * weight, Math.floor((weight * HOLD_MS) / Math.max(heldMs, 1))),
        );
      // Other processes poll for the lock of SQLite, and would not find it free between two transactions.
      await delay(Math.min(heldMs, HOLD_MS) / 10);
    }
  }

  /**
   * Writes the records in one transaction. After a refusal, halves them until the refused record is alone.
   * @param work returns what to count after the commit
   * @param weighing their time decides about the size of the next transaction
   */
  async writeAll<T>(
    records: readonly T[],
    work: (context: AccountContext, records: readonly T[]) => Promise<Counted>,
    placeOf: (record: T) => string,
    weighing: (record: T) => number = () => 0,
  ): Promise<void> {
    if (records.length === 0) return;
    const weight = records.reduce((sum, record) => sum + weighing(record), 0);
    try {
      this.count(await this.write((context) => work(context, records), weight));
    } catch (error) {
      if (!(error instanceof ChatError) || error.status >= 500) throw error;
      const [first] = records;
      if (records.length === 1 && first !== undefined) return this.reject(placeOf(first), error.message);
      const middle = Math.ceil(records.length / 2);
      await this.writeAll(records.slice(0, middle), work, placeOf, weighing);
      await this.writeAll(records.slice(middle), work, placeOf, weighing);
    }
  }

  /** Adds what a transaction has done. A transaction may run again, so it counts nothing itself. */
  count({ imported = {}, present = {}, losses = [], conflicts = [], others }: Counted): void {
    if (others) this.others = others;
    for (const kind of keysOf(imported)) this.result.imported[kind] += imported[kind] ?? 0;
    for (const kind of keysOf(present)) this.result.present[kind] += present[kind] ?? 0;
    for (const what of losses) this.lose(what);
    for (const conflict of conflicts) this.conflict(conflict);
  }
}

export interface Counted {
  imported?: Partial<Record<ImportKind, number>>;
  present?: Partial<Record<ImportKind, number>>;
  losses?: readonly string[];
  conflicts?: readonly string[];
  others?: OtherMessages;
}

/** Messages in imported channels that this import has not marked as read: they keep their state. */
export interface OtherMessages {
  /** The newest message of this import. Others may follow. */
  reached: number | undefined;
  /** The newest of the other messages in each channel, or 0. */
  newest: ReadonlyMap<number, number>;
}

/** The program has every permission, as in `chat.system()`. */
async function asHost(context: TransactionContext): Promise<AccountContext> {
  const bot = await context.tx.users.byEmail(NOTIFICATION_BOT);
  if (!bot) throw new Error(`The bot ${NOTIFICATION_BOT} is missing from this organization.`);
  return actingAs(context, systemActor(bot));
}

export type StoredKind = ImportRecord['type'] | 'thread' | 'file' | 'new user' | 'invited';

/** The stored key of a record. IDs of some chats contain names of people, so it is a digest. */
export const storedKey = (kind: StoredKind, key: string): string =>
  createHash('sha256').update(`${kind} ${key}`).digest('base64url').slice(0, 22);

/** The IDs of records that were imported, by kind and key. */
export class Known {
  constructor(private readonly ids: ReadonlyMap<string, number>) {}

  id(kind: StoredKind, key: string): number | undefined {
    return this.ids.get(storedKey(kind, key));
  }
}

export async function knownAmong(
  { tx }: Pick<AccountContext, 'tx'>,
  keys: Iterable<readonly [kind: StoredKind, key: string]>,
): Promise<Known> {
  const stored = new Set<string>();
  for (const [kind, key] of keys) stored.add(storedKey(kind, key));
  return new Known(await tx.imports.idsOf([...stored]));
}

/** An address for an account without one. */
export const placeholder = (key: string): string =>
  `${createHash('sha256').update(key).digest('hex').slice(0, 32)}@${PLACEHOLDER_DOMAIN}`;
