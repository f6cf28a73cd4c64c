import { createHash } from 'node:crypto';
import { IdempotencyKeyReused } from '../base/errors.ts';
import { type DueWork, inBatches } from '../operation/feature.ts';
import type { Operation } from '../operation/operation.ts';
import { roomsOf } from '../rules/roles.ts';
import type { TransactionContext } from '../viewer/context.ts';

/** How long a call can be repeated. */
const KEPT_MS = 24 * 3_600_000;
/** Keys of a user. Without a limit, a user who sends ever new keys fills the disk. */
export const MAX_KEYS_PER_USER = 100_000;
/** One of so many calls looks for keys above the limit, because it reads all keys of its user. */
const CALLS_BETWEEN_TRIMS = 1_000;
const ROWS_PER_TRANSACTION = 1_000;
/** A call runs again if another process has just committed the same one. */
const MAX_ATTEMPTS = 5;

type Parameters = Readonly<Record<string, unknown>>;
type Repeatable = Pick<Operation, 'name'> & Partial<Pick<Operation, 'idempotency' | 'mayNeedCode' | 'hasSecrets'>>;
type Context = Pick<TransactionContext, 'tx' | 'now' | 'actor' | 'isConfirmed'>;

/** Another transaction has committed a call with the same key. A new transaction can read its answer. */
class CallElsewhere extends Error {}

/** A call with an `idempotency_key`: repeated, it returns the answer of the first one and does nothing. */
export class RepeatableCall {
  isRepeated = false;
  /** Whether this call has an answer: that of an earlier call, or its own, unless the transaction fails. */
  isAnswered = false;

  constructor(
    private readonly call: {
      operation: string;
      key: string;
      digest: string;
      trims: boolean;
      hasGuardedSecrets: boolean;
    },
  ) {}

  /**
   * The answer of the first call.
   * @param content digest of a file that arrived during the call
   * @throws IdempotencyKeyReused if its parameters were different
   */
  async recall(context: Context, content = ''): Promise<object | undefined> {
    const { tx, now } = context;
    const { operation, key } = this.call;
    const first = await tx.idempotency.get(callerId(context), operation, key, now - KEPT_MS);
    if (first && first.digest !== this.#digest(context, content)) throw new IdempotencyKeyReused(key);
    this.isRepeated = first !== undefined;
    this.isAnswered ||= this.isRepeated;
    return first && JSON.parse(first.answer);
  }

  /** The work of a transaction. The answer is committed together with the change. */
  once<C extends Context, T extends object>(work: (context: C) => Promise<T>, content = '') {
    return async (context: C): Promise<T> => {
      const known = await this.recall(context, content);
      if (known) return known as T;
      const answer = await work(context);
      const { operation, key, trims } = this.call;
      const call = {
        user_id: callerId(context),
        operation,
        key,
        digest: this.#digest(context, content),
        answer: JSON.stringify(answer),
        created_ms: context.now,
      };
      if (!(await context.tx.idempotency.add(call, context.now - KEPT_MS))) throw new CallElsewhere();
      this.isAnswered = true;
      if (trims) await context.tx.idempotency.trim(call.user_id, MAX_KEYS_PER_USER, 2 * CALLS_BETWEEN_TRIMS);
      return answer;
    };
  }

  /**
   * A token that is limited to rooms must not get an answer that another login got. A caller without a code must not get
   * a secret that another caller got for one.
   */
  #digest({ actor, isConfirmed }: Context, content: string): string {
    const rooms = actor && roomsOf(actor);
    const confirmed = this.call.hasGuardedSecrets && isConfirmed ? ['confirmed'] : [];
    return [this.call.digest + content, ...confirmed, ...(rooms ? rooms.channels : [])].join();
  }
}

function callerId({ actor }: Context): number {
  if (!actor) throw new Error('Calls without an account cannot have an idempotency key.');
  return actor.id;
}

/** Makes calls repeatable. */
export class IdempotencyKeys {
  #calls = 0;

  /** undefined without a key. */
  async callOf(
    { name, idempotency, mayNeedCode, hasSecrets }: Repeatable,
    { idempotency_key, ...parameters }: Parameters,
  ): Promise<RepeatableCall | undefined> {
    if (idempotency_key === undefined) return undefined;
    const ignored: readonly string[] = idempotency?.ignored ?? [];
    const compared: [string, unknown][] = [];
    for (const [parameter, value] of Object.entries(idempotency?.canonical?.(parameters) ?? parameters)) {
      if (ignored.includes(parameter)) continue;
      compared.push([parameter, value instanceof Blob ? await digestOf(value) : value]);
    }
    const digest = createHash('sha256').update(JSON.stringify(compared)).digest('base64url');
    const trims = this.#calls++ % CALLS_BETWEEN_TRIMS === 0;
    const hasGuardedSecrets = mayNeedCode === true && hasSecrets === true;
    return new RepeatableCall({ operation: name, key: String(idempotency_key), digest, trims, hasGuardedSecrets });
  }
}

async function digestOf(file: Blob): Promise<string> {
  return createHash('sha256')
    .update(new Uint8Array(await file.arrayBuffer()))
    .digest('base64url');
}

/** Runs a transaction again if another one has committed the same call since it began. */
export async function untilAnswered<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof CallElsewhere) || attempts === MAX_ATTEMPTS) throw error;
    }
  }
}

export const expiredIdempotencyKeys: DueWork = {
  name: 'expired idempotency keys',
  isHousekeeping: true,
  async nextDue(tx) {
    const oldest = await tx.idempotency.oldest();
    return oldest === undefined ? undefined : oldest + KEPT_MS + 1;
  },
  async run({ storage, clock }, isStopping) {
    const since = clock.now() - KEPT_MS;
    const remove = () => storage.write((tx) => tx.idempotency.removeOlder(since, ROWS_PER_TRANSACTION), 'silent');
    return inBatches(ROWS_PER_TRANSACTION, isStopping, remove);
  },
};
