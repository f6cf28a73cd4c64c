import { setTimeout as delay } from 'node:timers/promises';
import { ChatError } from '../../base/errors.ts';
import { present } from '../../base/present.ts';
import { operationNamed } from '../../catalogue.ts';
import type { Engine } from '../../engine/engine.ts';
import { readParameters, type Values } from '../../engine/parameters.ts';
import type { Adopt } from '../../rules/adoption.ts';
import { emailKey, fold } from '../../rules/fold.ts';
import { asHost } from '../../viewer/as-host.ts';
import type { AccountContext, TransactionContext } from '../../viewer/context.ts';
import { withoutLocks } from '../../views/external-ids.ts';
import type { OperationName } from '../session.ts';
import type { SyncChange, SyncOptions, SyncResult } from './types.ts';

const ANYONE = { access: 'anyone' } as const;
const HOST = { userId: null, client: 'chat.sync' };

/** Milliseconds of a transaction, for which other writers wait. */
const HOLD_MS = 150;
/** Items of a transaction at least, since many statements do not depend on their number. */
const SMALLEST_PART = 100;

/** A channel or group. Without an ID it does not exist: in a dry run, it would have been created. */
export interface NamedRecord {
  id: number | undefined;
  external_id: string | null;
  name: string;
  /** Archived or deactivated. */
  isPast: boolean;
}

/** Channels or groups that users of the lists may name. Contains all with an external ID. */
export class RecordIndex {
  readonly #byExternalId = new Map<string, NamedRecord>();
  readonly #byName = new Map<string, NamedRecord | undefined>();
  readonly #byId = new Map<number, NamedRecord>();

  add(record: NamedRecord): void {
    const { id, external_id, name } = record;
    const before = external_id === null ? undefined : this.#byExternalId.get(external_id);
    if (before) this.#byName.delete(fold(before.name));
    if (external_id !== null) this.#byExternalId.set(external_id, record);
    if (external_id !== null && id !== undefined) this.#byId.set(id, record);
    this.#byName.set(fold(name), record);
  }

  /** Undefined for channels and groups without an external ID. */
  mirrored(id: number): NamedRecord | undefined {
    return this.#byId.get(id);
  }

  /** @param load finds one without an external ID, once for each name */
  async find(reference: string, load: () => Promise<NamedRecord | undefined>): Promise<NamedRecord | undefined> {
    const known = this.#byExternalId.get(reference);
    const key = fold(reference);
    if (!known && !this.#byName.has(key)) this.#byName.set(key, await load());
    return known ?? this.#byName.get(key);
  }

  /** Whether a user in these channels or groups is in all that a row names, and in no other with an external ID. */
  areEqual(references: readonly string[] | undefined, found: readonly number[] = []): boolean {
    if (!references) return true;
    const wanted = references.map((one) => this.#byExternalId.get(one) ?? this.#byName.get(fold(one)));
    if (wanted.some((record) => record?.id === undefined || record.isPast)) return false;
    const ids = wanted.map((record) => present(record?.id));
    const isKept = (id: number) => ids.includes(id) || (this.#byId.get(id)?.isPast ?? true);
    return ids.every((id) => found.includes(id)) && found.every(isKept);
  }

  /** A row that failed. Its references must not lead to another record of this name, which may be anyone's. */
  block({ external_id, name }: { external_id: string; name: string }): void {
    for (const key of [fold(external_id), fold(name)]) if (!this.#byName.has(key)) this.#byName.set(key, undefined);
  }

  get(external_id: string): NamedRecord | undefined {
    return this.#byExternalId.get(external_id);
  }
}

/** Memberships that an adoption ends. A dry run rolls this back, but must go on as if they had ended. */
class EndedMemberships {
  readonly #ended = new Set<string>();

  add(memberships: readonly EndedMembership[]): void {
    for (const membership of memberships) this.#ended.add(membership.join(' '));
  }

  has(...membership: EndedMembership): boolean {
    return this.#ended.size > 0 && this.#ended.has(membership.join(' '));
  }

  nestings(): [group: number, subgroup: number][] {
    const nested = [...this.#ended].filter((key) => key.startsWith('subgroup '));
    return nested.map((key) => {
      const [, group, subgroup] = key.split(' ');
      return [Number(group), Number(subgroup)];
    });
  }
}

export type EndedMembership = [kind: 'subscriber' | 'member' | 'subgroup', container: number, member: number];

/** One call of `chat.sync`: its transactions, and what it reports. */
export class SyncRun {
  readonly result: SyncResult = {
    counts: { created: 0, adopted: 0, changed: 0, deactivated: 0, reactivated: 0, failed: 0, unchanged: 0 },
    changes: [],
  };
  readonly channels = new RecordIndex();
  readonly groups = new RecordIndex();
  /** In a dry run: addresses that users of the list would have given up. */
  readonly freed = new Set<string>();

  readonly adopt: Adopt;
  /** Number of changes so far. */
  reported = 0;
  /** Time of the last write transaction. */
  #heldMs = HOLD_MS;

  /** In a dry run: memberships that adoptions would have ended. */
  readonly ended = new EndedMemberships();

  constructor(
    readonly engine: Engine,
    readonly options: SyncOptions,
  ) {
    this.adopt = options.adopt ?? 'verified';
  }

  read<T>(work: (context: AccountContext) => Promise<T>): Promise<T> {
    return this.engine.transact(ANYONE, HOST, 'read', async (context) => work(await this.#asHost(context)));
  }

  /** A write transaction. A dry run rolls it back. */
  async write<T>(work: (context: AccountContext) => Promise<T>): Promise<T> {
    let start = performance.now();
    const asHost = async (context: TransactionContext) => {
      start = performance.now();
      return work(await this.#asHost(context));
    };
    try {
      return await (this.options.dryRun
        ? this.engine.dryRunTransaction(ANYONE, HOST, 'write', asHost, async ({ value }) => value)
        : this.engine.transact(ANYONE, HOST, 'write', asHost));
    } finally {
      this.#heldMs = performance.now() - start;
      // Other processes poll for the lock of SQLite, and would not find it free between two transactions.
      await delay(Math.min(this.#heldMs, HOLD_MS) / 2);
    }
  }

  /**
   * As `writeAll`, in parts that hold the lock for about `HOLD_MS`, or have the smallest size.
   * @param most items in a part
   */
  async writeInParts<T>(
    items: readonly T[],
    most: number,
    work: (context: AccountContext, items: readonly T[]) => Promise<SyncChange[]>,
    fail: (item: T, error: ChatError) => SyncChange,
  ): Promise<void> {
    let size = SMALLEST_PART;
    for (let at = 0; at < items.length; ) {
      const part = items.slice(at, at + Math.min(size, most));
      await this.writeAll(part, work, fail);
      at += part.length;
      const fitting = Math.floor((part.length * HOLD_MS) / this.#heldMs);
      size = Math.max(SMALLEST_PART, Math.min(2 * part.length, fitting));
    }
  }

  /**
   * Does the items in one transaction. If one is refused, halves them until it is alone, so that the others are done.
   * @param fail makes the change that reports a refused item
   */
  async writeAll<T>(
    items: readonly T[],
    work: (context: AccountContext, items: readonly T[]) => Promise<SyncChange[]>,
    fail: (item: T, error: ChatError) => SyncChange,
  ): Promise<void> {
    if (items.length === 0) return;
    let changes: SyncChange[];
    try {
      changes = await this.write((context) => work(context, items));
    } catch (error) {
      if (!(error instanceof ChatError) || error.status >= 500) throw error;
      if (items.length === 1) return this.report([fail(present(items[0]), error)]);
      const middle = Math.ceil(items.length / 2);
      await this.writeAll(items.slice(0, middle), work, fail);
      return this.writeAll(items.slice(middle), work, fail);
    }
    await this.report(changes);
  }

  /** The program has every permission, as in `chat.system()`. Fields are locked for others only. */
  async #asHost(context: TransactionContext): Promise<AccountContext> {
    return withoutLocks(await asHost(context));
  }

  async report(changes: readonly SyncChange[]): Promise<void> {
    for (const change of changes) {
      this.result.counts[change.action]++;
      this.reported++;
      for (const { field, from } of this.options.dryRun ? change.fields : [])
        if (field === 'email' && typeof from === 'string') this.freed.add(emailKey(from));
      if (this.options.onChange) await this.options.onChange(change);
      else this.result.changes.push(change);
    }
  }
}

/** Runs an operation in the transaction of the caller. */
export function perform(context: AccountContext, name: OperationName, values: Values): Promise<object> {
  const operation = operationNamed(name);
  return operation.run(context as never, readParameters(operation, values) as never);
}

export const failed =
  (kind: SyncChange['kind']) =>
  ({ external_id }: { external_id: string }, error: ChatError, id: number | null = null): SyncChange => ({
    kind,
    external_id,
    id,
    action: 'failed',
    fields: [],
    code: error.code ?? 'BAD_REQUEST',
    reason: error.message,
  });

/** The names of the fields that differ from what is wanted. Absent fields are not wanted. */
export function differences(
  present: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): SyncChange['fields'] {
  return Object.entries(wanted)
    .filter(([field, to]) => to !== undefined && to !== present[field])
    .map(([field, to]) => ({ field, from: present[field] ?? null, to }));
}
