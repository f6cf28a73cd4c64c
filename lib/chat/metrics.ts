import { setTimeout as wait } from 'node:timers/promises';
import type { Engine } from '../engine/engine.ts';
import { clockDifference } from '../rules/clock-difference.ts';
import { StorageError } from '../storage/storage-error.ts';

/** State of each part that requests need: `ok`, or the problem. */
export interface Readiness {
  storage: string;
  worker: string;
  /** A warning, present if the clock of this server differs from the database's: `60 s behind the database's`. */
  clock?: string;
}

/** Metrics of a chat. Values that need the database are absent while it does not answer. */
export interface ChatMetrics {
  isStorageUp: boolean;
  pollsWaiting: number;
  /** 1 or 0. */
  workerRuns: number;
  /** Transactions shared by several writes since the start, and the number of those writes. */
  commitGroups: number | undefined;
  groupedWrites: number | undefined;
  queues?: number;
  logLength?: number;
  outboxItems?: number;
  /** Seconds by which the oldest item is overdue. */
  outboxAge?: number;
  outboxGivenUp?: number;
}

/** SQLite keeps writing to a file that was removed or replaced, and no other process will see those writes. */
export const DISPLACED = 'removed or replaced';

/** Counting stops here, so that metrics stay cheap with many rows. */
const MAX_COUNTED_ROWS = 10_001;

/** A busy process must not report that its database does not answer: a load balancer would send its load to the others. */
const TIMEOUT_STEP_MS = 100;

/** A stopped worker is `ok`: it may run in another process. A worker that cannot read its due work is `failing`. */
export async function readinessOf(engine: Engine, patience: number): Promise<Readiness> {
  const checked = storageOf(engine).catch((error: unknown) => (error instanceof StorageError ? error.reason : 'fault'));
  const storage = await Promise.race([checked, timeout(patience)]);
  const clock = clockDifference(engine.options.storage.clockOffsetMs ?? 0);
  const worker = engine.worker.state === 'failing' ? 'failing' : 'ok';
  return { storage, worker, ...(clock === undefined ? {} : { clock }) };
}

/** In steps, so that a step counts no more than its length when this process itself is busy for longer. */
async function timeout(ms: number): Promise<string> {
  for (let passed = 0; passed < ms; passed += TIMEOUT_STEP_MS) await wait(TIMEOUT_STEP_MS, undefined, { ref: false });
  return `no answer within ${ms} ms`;
}

async function storageOf({ options: { storage } }: Engine): Promise<string> {
  if ((await storage.isInPlace?.()) === false) return DISPLACED;
  await storage.checkWritable?.();
  const versions = await storage.read((tx) => tx.organization.versions());
  return versions ? 'ok' : 'no organization';
}

export async function metricsOf(engine: Engine): Promise<ChatMetrics> {
  const { storage } = engine.options;
  const own = {
    pollsWaiting: engine.hub.waiting,
    workerRuns: engine.worker.state === 'running' ? 1 : 0,
    commitGroups: storage.commits?.groups,
    groupedWrites: storage.commits?.writes,
  };
  try {
    const stored = await storage.read(async (tx) => {
      const { open, givenUp, oldestDue } = await tx.outbox.figures(MAX_COUNTED_ROWS);
      const oldest = await tx.events.oldest();
      return {
        queues: await tx.queues.count(MAX_COUNTED_ROWS),
        logLength: oldest ? (await tx.events.tail()) - oldest.seq + 1 : 0,
        outboxItems: open,
        outboxAge: oldestDue === undefined ? 0 : Math.max(0, engine.clock.now() - oldestDue) / 1000,
        outboxGivenUp: givenUp,
      };
    });
    return { isStorageUp: (await storage.isInPlace?.()) !== false, ...own, ...stored };
  } catch {
    return { isStorageUp: false, ...own };
  }
}
