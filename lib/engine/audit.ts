import type { Clock } from '../adapters/clock.ts';
import type { Logger } from '../adapters/logger.ts';
import { type ChatError, RateLimitHit } from '../base/errors.ts';
import { type DueWork, inBatches, keptPerChat } from '../operation/feature.ts';
import type { Operation } from '../operation/operation.ts';
import { emailKey } from '../rules/fold.ts';
import type { NewAuditEntry } from '../storage/interface/audit.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { Services } from '../viewer/context.ts';
import type { Caller } from './callers.ts';
import type { RepeatableCall } from './idempotency.ts';

/** Characters of a call's parameters that are stored. */
const MAX_DETAILS = 1_000;
/** Numbers of a list that are stored. */
const MAX_LISTED = 20;

interface Refusal {
  entry: NewAuditEntry;
  /** The address of an attempted sign-in, folded. */
  account?: string | undefined;
}

/** The audit entry of one call, written once: with its first committed change, or with its refusal. */
export class AuditNote {
  #isKept = false;
  /** The caller of a read, as the transaction found it. */
  actorId: number | undefined;
  #parameters: Readonly<Record<string, unknown>> = {};
  #misread: unknown;
  #repeatable: RepeatableCall | undefined;

  constructor(
    private readonly operation: Operation,
    private readonly caller: Caller,
    private readonly clock: Clock,
    private readonly isLocal: boolean,
  ) {}

  /** Whether the entry is committed, or not needed. */
  get isKept(): boolean {
    return this.#isKept || this.#repeatable?.isRepeated === true;
  }

  /** After a commit. A sign-in has no entry then: what it has committed, such as a new account, may come before a refusal. */
  keep(): void {
    this.#isKept = !this.isSignIn;
  }

  /** A repeated call changes nothing, and the first one has its entry. */
  watch(repeatable: RepeatableCall | undefined): void {
    this.#repeatable = repeatable;
  }

  get isSignIn(): boolean {
    return this.operation.audited === 'sign-in';
  }

  /** @param misread the error of reading the parameters */
  read(parameters: Readonly<Record<string, unknown>>, misread?: unknown): void {
    this.#parameters = parameters;
    this.#misread = misread;
    const { audited } = this.operation;
    if (typeof audited === 'object' && parameters[audited.whenGiven] === undefined) this.#isKept = true;
  }

  /** @param noted the IDs that the operation has noted. Not needed if it had to note something and did not */
  mayOmit(noted: object | undefined): boolean {
    return this.isKept || this.isSignIn || (this.operation.audited === 'noted' && noted === undefined);
  }

  done(actorId: number | undefined, result?: unknown, noted: object = {}): NewAuditEntry {
    const details = bounded({ ...idsIn(result), ...noted, ...shown(this.#parameters) });
    const user_id = this.caller.isSystem ? null : (actorId ?? (this.caller.userId || null));
    return this.#entry(details, user_id);
  }

  /** The entry of a sign-in contains no parameters, only the account. */
  signIn(userId: number): NewAuditEntry {
    return this.#entry({}, userId);
  }

  /** The entry of a refusal. undefined if the parameters were invalid: that says nothing about permissions. */
  refused(error: ChatError): Refusal | undefined {
    if (this.isKept || error === this.#misread || error instanceof RateLimitHit) return undefined;
    if (this.operation.audited === 'noted') return undefined;
    const { limitedBy } = this.operation;
    const account = limitedBy?.rule === 'sign-in' ? this.#parameters[limitedBy.account] : undefined;
    const entry = this.#entry(this.isSignIn ? {} : bounded(shown(this.#parameters)));
    return {
      entry: { ...entry, status: error.status, code: error.code, network: this.caller.network ?? null },
      account: typeof account === 'string' ? emailKey(account) : undefined,
    };
  }

  /** An administrator of the machine is not the account that he acts as. */
  #entry(details: Record<string, unknown>, userId = this.caller.userId ?? null): NewAuditEntry {
    const { client, request = null, isSystem } = this.caller;
    const who =
      this.isLocal && !isSystem
        ? { user_id: null, details: { as_user_id: userId, ...details } }
        : { user_id: userId, details };
    return auditEntry(this.clock.now(), this.operation.name, { ...who, client, request });
  }
}

/** An entry. Missing fields have the values of a successful call by the host. */
export function auditEntry(at_ms: number, action: string, given: Partial<NewAuditEntry>): NewAuditEntry {
  const host = { user_id: null, client: 'Parlance', network: null, request: null };
  return { at_ms, action, ...host, status: 200, code: null, details: {}, times: 1, ...given };
}

/** Texts may be secrets or private. Only the fact that they were given is stored. */
function shown(parameters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const details: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    if (typeof value === 'number' || typeof value === 'boolean' || value === null) details[name] = value;
    else if (Array.isArray(value) && value.length <= MAX_LISTED && value.every(Number.isInteger)) details[name] = value;
    else details[name] = Array.isArray(value) ? `${value.length} given` : 'given';
  }
  return details;
}

/** The IDs of created objects. */
function idsIn(result: unknown): Record<string, unknown> {
  if (typeof result !== 'object' || result === null) return {};
  return Object.fromEntries(
    Object.entries(result).filter(([name, value]) => /^id$|_id$/.test(name) && Number.isInteger(value)),
  );
}

function bounded(details: Record<string, unknown>): Record<string, unknown> {
  if (JSON.stringify(details).length <= MAX_DETAILS) return details;
  const kept = Object.entries(details).filter(([name, value]) => /^id$|_id$/.test(name) && typeof value === 'number');
  return { ...Object.fromEntries(kept.slice(0, MAX_LISTED)), shortened: true };
}

/** For calls without a write transaction. They succeed even if the entry cannot be written. */
export async function recordAfterwards({ storage, logger }: Services, entry: NewAuditEntry): Promise<void> {
  await storage
    .write((tx) => tx.audit.add([entry]), 'silent')
    .catch((error: unknown) =>
      logger.warn({ error, action: entry.action }, 'a call was not recorded in the audit log'),
    );
}

/** Entries that wait to be written. Beyond this number, refusals are only counted per action. */
const MAX_WAITING = 50;
/** Milliseconds before the first write, and between two writes. */
const FIRST_MS = 1_000;
const BETWEEN_MS = 10_000;

/**
 * Refusals for the audit log. Attackers can cause any number of them. They must not fill the disk or block writers, so
 * equal refusals are counted, and few rows are written at intervals. A killed process loses those of the last seconds.
 */
export class Refusals {
  readonly #waiting = new Map<string, Refusal>();
  #cancel: (() => void) | undefined;
  #wroteAt = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly storage: Services['storage'],
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  add({ entry, account }: Refusal): void {
    const { at_ms, action, user_id, status, code, network, details } = entry;
    let key = JSON.stringify([action, user_id, status, code, network, account, details]);
    let refusal: Refusal = { entry, account };
    if (this.#waiting.size >= MAX_WAITING && !this.#waiting.has(key)) {
      key = action;
      refusal = { entry: { ...entry, user_id: null, network: null, request: null, details: { others: true } } };
    }
    const known = this.#waiting.get(key);
    if (known) known.entry = { ...known.entry, at_ms, request: refusal.entry.request, times: known.entry.times + 1 };
    else this.#waiting.set(key, refusal);
    const sinceThen = this.clock.now() - this.#wroteAt;
    // Negative if the clock was set back.
    const wait = sinceThen < 0 ? FIRST_MS : Math.max(FIRST_MS, BETWEEN_MS - sinceThen);
    this.#cancel ??= this.clock.after(wait, () => void this.flush());
  }

  flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    if (waiting.length > 0) this.#writing = this.#writing.then(() => this.#write(waiting));
    return this.#writing;
  }

  async #write(waiting: readonly Refusal[]): Promise<void> {
    this.#wroteAt = this.clock.now();
    const addresses = waiting.flatMap(({ account }) => account ?? []);
    try {
      await this.storage.write(async (tx) => {
        const users = addresses.length === 0 ? [] : await tx.users.byEmails(addresses);
        const ids = new Map(users.map(({ id, delivery_email }) => [emailKey(delivery_email), id]));
        const known = ({ entry, account }: Refusal): NewAuditEntry =>
          account === undefined ? entry : { ...entry, user_id: ids.get(account) ?? null };
        await tx.audit.add(together(waiting.map(known)));
      }, 'silent');
    } catch (error) {
      this.logger.warn({ error, refusals: waiting.length }, 'refusals were not recorded in the audit log');
    }
  }
}

/** Merges equal entries. Attempts with addresses that have no account count as equal. */
function together(entries: readonly NewAuditEntry[]): NewAuditEntry[] {
  const alike = new Map<string, NewAuditEntry>();
  for (const entry of entries) {
    const { at_ms, request, times, ...same } = entry;
    const key = JSON.stringify(same);
    alike.set(key, { ...entry, times: times + (alike.get(key)?.times ?? 0) });
  }
  return [...alike.values()];
}

const DAY_MS = 24 * 3_600_000;
const BETWEEN_CLEANUPS_MS = 3_600_000;
/** Entries to keep: for this time, and at most this many. */
const KEPT = {
  done: { ms: 365 * DAY_MS, rows: 200_000 },
  refused: { ms: 30 * DAY_MS, rows: 20_000 },
} as const;
const ROWS_PER_TRANSACTION = 500;

/** Time of the last cleanup in this process. It need not run every minute. */
const lastCleanupOf = keptPerChat((): { atMs: number | undefined } => ({ atMs: undefined }));

/** Deletes entries after a year. Refusals, which anyone can cause, are deleted after a month. */
export const auditCleanup: DueWork = {
  name: 'audit log',
  isHousekeeping: true,
  async nextDue(tx, services) {
    if ((await tx.audit.list({ since: 0, limit: 1 })).length === 0) return undefined;
    const { atMs } = lastCleanupOf(services);
    return atMs === undefined ? services.clock.now() : atMs + BETWEEN_CLEANUPS_MS;
  },
  async run(services, isStopping) {
    const now = services.clock.now();
    lastCleanupOf(services).atMs = now;
    let removed = 0;
    for (const what of ['done', 'refused'] as const) {
      const { ms, rows } = KEPT[what];
      const bounds = { untilMs: now - ms, kept: rows, limit: ROWS_PER_TRANSACTION };
      const trim = (tx: Transaction) => tx.audit.trim(what, bounds);
      removed += await inBatches(ROWS_PER_TRANSACTION, isStopping, () => services.storage.write(trim, 'silent'));
    }
    return removed;
  },
};
