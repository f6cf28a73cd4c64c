import type { Clock } from '../adapters/clock.ts';
import type { Logger } from '../adapters/logger.ts';
import { ChatError, RateLimitHit } from '../base/errors.ts';
import type { Operation } from '../operation/operation.ts';
import { fold } from '../rules/fold.ts';
import type { NewAuditEntry } from '../storage/interface/audit.ts';
import type { Storage } from '../storage/interface/storage.ts';
import type { Caller } from './callers.ts';
import type { DecodeParameter } from './parameters.ts';
import type { Transact } from './transaction-context.ts';

/** Characters of a call's parameters that are stored. */
const MAX_DETAILS = 1_000;
/** Numbers of a list that are stored. */
const MAX_LISTED = 20;

/** Whether calls may be recorded in the audit log. Default: changes that only administrators and owners may make. */
export function mayBeAudited({ audited, effect, access }: Operation): boolean {
  return audited !== undefined
    ? audited !== false
    : effect !== 'read' && (access === 'administrator' || access === 'owner');
}

/** The audit entry of one call, written once: with its first committed change, or with its refusal. */
export class AuditNote {
  /** The entry is committed. */
  isKept = false;
  /** The caller of a read, as the transaction found it. */
  actorId: number | undefined;
  #parameters: Readonly<Record<string, unknown>> | undefined;
  #misread: unknown;

  constructor(
    private readonly operation: Operation,
    private readonly caller: Caller,
  ) {}

  get isSignIn(): boolean {
    return this.operation.audited === 'sign-in';
  }

  /** The parameters, or the error of reading them. */
  read(parameters: Readonly<Record<string, unknown>> | undefined, refusal: unknown): void {
    this.#parameters = parameters;
    this.#misread = refusal;
    const { audited } = this.operation;
    if (typeof audited === 'object' && parameters?.[audited.whenGiven] === undefined) this.isKept = true;
  }

  done(actorId: number | undefined, now: number, result: unknown): NewAuditEntry {
    return {
      ...this.#entry(now),
      user_id: actorId ?? (this.caller.userId || null),
      status: 200,
      code: null,
      details: bounded({ ...idsIn(result), ...shown(this.#parameters ?? {}) }),
    };
  }

  /** The entry of a sign-in contains no parameters, only the account. */
  signIn(userId: number, now: number): NewAuditEntry {
    return { ...this.done(userId, now, undefined), details: {} };
  }

  /** The entry of a refusal. undefined if the parameters were invalid: that says nothing about permissions. */
  refused(error: ChatError, now: number): { entry: NewAuditEntry; account: string | undefined } | undefined {
    if (this.isKept || error === this.#misread || error instanceof RateLimitHit) return undefined;
    const { limitedBy } = this.operation;
    const account = limitedBy?.rule === 'sign-in' ? this.#parameters?.[limitedBy.account] : undefined;
    return {
      entry: {
        ...this.#entry(now),
        user_id: this.caller.userId ?? null,
        status: error.status,
        code: error.code,
        details: this.isSignIn ? {} : bounded(shown(this.#parameters ?? {})),
        network: this.caller.network ?? null,
      },
      account: typeof account === 'string' ? account : undefined,
    };
  }

  #entry(now: number) {
    const { client, request } = this.caller;
    return { at_ms: now, action: this.operation.name, client, network: null, request: request ?? null, times: 1 };
  }
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

/** The required part of the engine. */
interface Performer {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly refusals: Refusals;
  perform(
    operation: Operation,
    caller: Caller,
    values: Readonly<Record<string, unknown>>,
    decode: DecodeParameter | undefined,
    trial: Transact | undefined,
    note: AuditNote,
  ): Promise<object>;
}

/** A success is recorded in the transaction of the change. A refusal has no transaction and is recorded later. */
export async function performAudited(
  engine: Performer,
  operation: Operation,
  caller: Caller,
  values: Readonly<Record<string, unknown>>,
  decode: DecodeParameter | undefined,
): Promise<object> {
  const note = new AuditNote(operation, caller);
  const now = () => engine.clock.now();
  try {
    const result = await engine.perform(operation, caller, values, decode, undefined, note);
    if (note.isSignIn) await keepAfterwards(engine, note.signIn((result as { user_id: number }).user_id, now()));
    else if (operation.effect === 'read') await keepAfterwards(engine, note.done(note.actorId, now(), undefined));
    return result;
  } catch (error) {
    const refused = error instanceof ChatError ? note.refused(error, now()) : undefined;
    if (refused) engine.refusals.add(refused.entry, refused.account);
    throw error;
  }
}

/** A read or a sign-in succeeds even if the entry cannot be written. */
async function keepAfterwards({ storage, logger }: Performer, entry: NewAuditEntry): Promise<void> {
  await storage
    .write((tx) => tx.audit.add([entry]), { shared: true, silent: true })
    .catch((error: unknown) =>
      logger.warn({ error, action: entry.action }, 'a call was not recorded in the audit log'),
    );
}

/** Entries that wait to be written. Beyond this number, refusals are only counted per action. */
const MAX_WAITING = 50;
/** Milliseconds before the first write, and between two writes. */
const FIRST_MS = 1_000;
const BETWEEN_MS = 10_000;

interface Waiting {
  entry: NewAuditEntry;
  /** The address of an attempted sign-in. */
  account: string | undefined;
}

/**
 * Refusals for the audit log. Attackers can cause any number of them. They must not fill the disk or block writers, so
 * equal refusals are counted, and few rows are written at intervals. A killed process loses those of the last seconds.
 */
export class Refusals {
  readonly #waiting = new Map<string, Waiting>();
  #cancel: (() => void) | undefined;
  #wroteAt = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly storage: Storage,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  add(entry: NewAuditEntry, account?: string): void {
    const { action, user_id, status, code, network, details } = entry;
    const key = JSON.stringify([action, user_id, status, code, network, account && fold(account.trim()), details]);
    const isCrowded = this.#waiting.size >= MAX_WAITING && !this.#waiting.has(key);
    this.#count(
      isCrowded ? action : key,
      isCrowded
        ? {
            entry: { ...entry, user_id: null, network: null, request: null, details: { others: true } },
            account: undefined,
          }
        : { entry, account },
    );
    const sinceThen = this.clock.now() - this.#wroteAt;
    // Negative if the clock was set back.
    const wait = sinceThen < 0 ? FIRST_MS : Math.max(FIRST_MS, BETWEEN_MS - sinceThen);
    this.#cancel ??= this.clock.after(wait, () => void this.flush());
  }

  /** Writes the waiting entries. */
  flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    if (waiting.length > 0) this.#writing = this.#writing.then(() => this.#write(waiting));
    return this.#writing;
  }

  #count(key: string, one: Waiting): void {
    const known = this.#waiting.get(key);
    if (!known) this.#waiting.set(key, one);
    else {
      const { at_ms, request } = one.entry;
      known.entry = { ...known.entry, at_ms, request, times: known.entry.times + 1 };
    }
  }

  async #write(waiting: readonly Waiting[]): Promise<void> {
    this.#wroteAt = this.clock.now();
    const addresses = waiting.flatMap(({ account }) => (account === undefined ? [] : [fold(account.trim())]));
    try {
      await this.storage.write(
        async (tx) => {
          const users = addresses.length === 0 ? [] : await tx.users.byEmails(addresses);
          const ids = new Map(users.map(({ id, delivery_email }) => [fold(delivery_email), id]));
          const known = ({ entry, account }: Waiting): NewAuditEntry =>
            account === undefined ? entry : { ...entry, user_id: ids.get(fold(account.trim())) ?? null };
          await tx.audit.add(together(waiting.map(known)));
        },
        { shared: true, silent: true },
      );
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
