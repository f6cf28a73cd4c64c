import type { TestContext } from 'node:test';
import type { Clock } from '../../lib/adapters/clock.ts';
import { withDefaults } from '../../lib/chat/chat-options.ts';
import { Engine } from '../../lib/engine/engine.ts';
import type { EventDeclaration } from '../../lib/events/define-event.ts';
import { defineOutboxKind, type OutboxKind, registeredIn } from '../../lib/operation/feature.ts';
import type { Storage } from '../../lib/storage/interface/storage.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';

interface Item {
  n: number;
}

/** A kind that records the work done, and does what the test sets. */
export function kindOf(
  name: string,
  concurrency: number,
  perform: (item: Item) => Promise<unknown> = async () => undefined,
  options: Pick<OutboxKind<Item>, 'share'> = {},
) {
  const done: number[] = [];
  const now = { running: 0, most: 0 };
  const kind = defineOutboxKind<Item>(name, {
    concurrency,
    ...options,
    async perform(_, item) {
      now.most = Math.max(now.most, ++now.running);
      try {
        await perform(item);
        done.push(item.n);
      } finally {
        now.running--;
      }
    },
  });
  return Object.assign(kind, { done, now });
}

export interface Process {
  engine: Engine;
  failures: object[];
}

/** A process with its own storage and worker. */
export function processOn(
  t: TestContext,
  storage: Storage,
  kinds: OutboxKind[],
  clock: Clock = new ManualClock(),
  events: readonly EventDeclaration[] = [],
): Process {
  const failures: object[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error: (data: object) => void failures.push(data) };
  const registered = registeredIn([{ operations: [], events, outbox: kinds }]);
  const engine = new Engine(withDefaults({ storage, clock, logger }), registered);
  t.after(() => engine.worker.stop());
  return { engine, failures };
}

export function enqueue({ engine }: Process, kind: OutboxKind<Item>, count: number): Promise<void> {
  return engine.asSystem('write', async (context) => {
    for (let n = 0; n < count; n++) context.enqueue(kind({ n }));
  });
}

export const all = (count: number) => Array.from({ length: count }, (_, n) => n);
export const inOrder = (numbers: readonly number[]) => [...numbers].sort((one, other) => one - other);

/** Waits for a worker that runs by itself: less time passes by its clock than it sleeps without a notice. */
export async function untilTold(what: string, clock: ManualClock, isTrue: () => Promise<boolean>): Promise<void> {
  let passed = 0;
  await until(what, () => {
    if (passed < 25_000) clock.advance({ milliseconds: 100 });
    passed += 100;
    return isTrue();
  });
}

/** Remaining items of a kind, with the number of attempts. */
export const left = (storage: Storage, kind: string) =>
  storage.write(async (tx) =>
    (await tx.outbox.claimDue(kind, Number.MAX_SAFE_INTEGER, 1, 1_000)).map((one) => one.attempts - 1),
  );
