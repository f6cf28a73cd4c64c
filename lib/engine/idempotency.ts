import { createHash } from 'node:crypto';
import type { TransactionContext } from '../access/context.ts';
import { IdempotencyKeyReused } from '../base/errors.ts';
import { type DueWork, inBatches } from '../operation/feature.ts';
import type { Operation } from '../operation/operation.ts';

/** How long a call can be repeated. */
const KEPT_MS = 24 * 3_600_000;
const ROWS_PER_TRANSACTION = 1_000;
/** A call runs again if another process has just committed the same one. */
const MAX_ATTEMPTS = 5;

type Parameters = Readonly<Record<string, unknown>>;

/** Another transaction has committed a call with the same key. A new transaction can read its answer. */
class CallElsewhere extends Error {}

/** A call with an `idempotency_key`: repeated, it returns the answer of the first one and does nothing. */
export class RepeatableCall {
  readonly #operation: string;
  readonly #key: string;
  readonly #digest: string;

  constructor({ name, idempotency }: Operation, { idempotency_key, ...parameters }: Parameters) {
    this.#operation = name;
    this.#key = String(idempotency_key);
    const ignored: readonly string[] = idempotency?.ignored ?? [];
    const compared = Object.entries(parameters).filter(([parameter]) => !ignored.includes(parameter));
    this.#digest = createHash('sha256').update(JSON.stringify(compared)).digest('base64url');
  }

  /** The answer of the first call. @throws IdempotencyKeyReused if its parameters were different */
  async recall(context: TransactionContext): Promise<object | undefined> {
    const { tx, now } = context;
    const first = await tx.idempotency.get(callerId(context), this.#operation, this.#key, now - KEPT_MS);
    if (first && first.digest !== this.#digest) throw new IdempotencyKeyReused(this.#key);
    return first && JSON.parse(first.answer);
  }

  /** The work of a transaction. The answer is committed together with the change. */
  once(work: (context: TransactionContext) => Promise<object>) {
    return async (context: TransactionContext): Promise<object> => {
      const known = await this.recall(context);
      if (known) return known;
      const answer = await work(context);
      const call = {
        user_id: callerId(context),
        operation: this.#operation,
        key: this.#key,
        digest: this.#digest,
        answer: JSON.stringify(answer),
        created_ms: context.now,
      };
      if (!(await context.tx.idempotency.add(call, context.now - KEPT_MS))) throw new CallElsewhere();
      return answer;
    };
  }
}

function callerId({ actor }: TransactionContext): number {
  if (!actor) throw new Error('Calls without an account cannot have an idempotency key.');
  return actor.id;
}

/** The call as a repeatable one. undefined without a key. */
export function repeatableCall(operation: Operation, parameters: Parameters): RepeatableCall | undefined {
  return operation.idempotency && parameters.idempotency_key !== undefined
    ? new RepeatableCall(operation, parameters)
    : undefined;
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
    const remove = () =>
      storage.write((tx) => tx.idempotency.removeOlder(since, ROWS_PER_TRANSACTION), { shared: true, silent: true });
    return inBatches(ROWS_PER_TRANSACTION, isStopping, remove);
  },
};
