import type { Clock } from '../adapters/clock.ts';
import type { Logger } from '../adapters/logger.ts';
import { fold } from '../rules/fold.ts';
import type { NewAuditEntry } from '../storage/interface/audit.ts';
import type { Storage } from '../storage/interface/storage.ts';

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
