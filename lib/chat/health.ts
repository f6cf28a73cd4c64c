import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../adapters/logger.ts';
import { errorOf } from '../base/caught.ts';
import { storedAt } from '../domains/uploads/stored-file.ts';
import type { Engine } from '../engine/engine.ts';
import { clockDifference } from '../rules/clock-difference.ts';
import { StorageError, type StorageErrorReason } from '../storage/storage-error.ts';

/** State of each part that requests need: `ok`, or the problem. */
export interface Readiness {
  storage: string;
  worker: string;
  /**
   * Problems with which most requests work:
   * - `clock`: the clock of this server differs from the database's
   * - `events`: their delivery is late
   * - `files`: uploaded files are missing, or cannot be stored
   * - `outbox`: e-mails, notifications or webhook calls fail
   */
  warnings: { clock?: string; events?: string; files?: string; outbox?: string };
}

/** A metric. Its value is undefined if it is unknown. A map has one value for each kind of side effect. */
export type MetricValue = readonly [
  name: string,
  help: string,
  value: number | ReadonlyMap<string, number> | undefined,
];

/** SQLite keeps writing to a file that was removed or replaced, and no other process will see those writes. */
const DISPLACED = 'removed or replaced';

/** Counting stops here, so that metrics stay cheap with many rows. */
const MAX_COUNTED_ROWS = 10_001;

const METRICS_TIMEOUT_MS = 2_000;

/** A busy process must not report that its database does not answer: a load balancer would send its load to the others. */
const TIMEOUT_STEP_MS = 100;

/** A stopped worker is `ok`: it may run in another process. A worker that cannot read its due work is `failing`. */
export async function readinessOf(engine: Engine, patience: number): Promise<Readiness> {
  const checked = storageOf(engine).catch((error: unknown) => (error instanceof StorageError ? error.reason : 'fault'));
  const storage = await Promise.race([checked, timeout(patience)]);
  const clock = clockDifference(engine.options.storage.clockOffsetMs ?? 0);
  const worker = engine.worker.state === 'failing' ? 'failing' : 'ok';
  const lag = Math.floor(engine.hub.lagMs(engine.clock.now()) / 1000);
  const events = lag > 0 ? { events: `${lag} s late` } : {};
  const further =
    storage === 'ok' ? await Promise.race([furtherWarnings(engine), timeout(patience).then(() => ({}))]) : {};
  return { storage, worker, warnings: { ...(clock === undefined ? {} : { clock }), ...events, ...further } };
}

async function furtherWarnings(engine: Engine): Promise<Pick<Readiness['warnings'], 'files' | 'outbox'>> {
  const files = await filesOf(engine);
  const now = engine.clock.now();
  const waiting = await engine.options.storage.read((tx) => tx.outbox.waiting(now, MAX_COUNTED_ROWS)).catch(() => []);
  const failing = waiting
    .map(({ created_ms, ...rest }) => ({ ...rest, seconds: Math.floor((now - created_ms) / 1000) }))
    .filter(({ seconds, error }) => error !== null && seconds >= MAX_WAITING_SECONDS);
  const outbox = failing.map(({ kind, seconds, error }) => `${kind} waits for ${seconds} s: ${error}`).join('; ');
  return { ...(files === 'ok' ? {} : { files }), ...(outbox === '' ? {} : { outbox }) };
}

/** An item that fails for this long is a problem: the first retries come after 5 and 30 seconds. */
const MAX_WAITING_SECONDS = 60;

/** Results of `filesOf`. A bucket must not be asked for every request of a load balancer. */
const lastOfFiles = new WeakMap<Engine, { at: number; state: Promise<string> }>();
const FILES_CACHE_MS = 10_000;

/** `ok`, or why this process cannot read or store uploaded files. */
export function filesOf(engine: Engine): Promise<string> {
  const now = performance.now();
  const last = lastOfFiles.get(engine);
  if (last && now - last.at < FILES_CACHE_MS) return last.state;
  const state = checkFiles(engine).catch((error: unknown) => errorOf(error).message);
  lastOfFiles.set(engine, { at: now, state });
  return state;
}

async function checkFiles({ options: { files, storage } }: Engine): Promise<string> {
  const newest = await storage.read((tx) => tx.uploads.newest());
  if (!files) return newest ? 'no file store, but there are uploaded files' : 'ok';
  await files.check?.();
  // A folder that was moved away or mistyped looks like a new one.
  if (newest && (await files.size(storedAt(newest))) === undefined)
    return `${storedAt(newest)}, the newest uploaded file, is missing`;
  return 'ok';
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

/** Values of the database are undefined if it does not answer in time. */
export async function metricsOf(engine: Engine): Promise<MetricValue[]> {
  const { hub, worker, clock, options } = engine;
  const { storage } = options;
  const reading = storage.read(async (tx) => {
    const { open, givenUp } = await tx.outbox.figures(MAX_COUNTED_ROWS);
    const waiting = await tx.outbox.waiting(clock.now(), MAX_COUNTED_ROWS);
    const oldest = await tx.events.oldest();
    const logLength = oldest ? (await tx.events.tail()) - oldest.seq + 1 : 0;
    const ages = waiting.map(({ kind, created_ms }) => [kind, (clock.now() - created_ms) / 1000] as const);
    const outboxAge = new Map([['mail', 0], ...ages]);
    const queues = await tx.queues.count(MAX_COUNTED_ROWS);
    return { queues, logLength, open, outboxAge, givenUp, isInPlace: (await storage.isInPlace?.()) !== false };
  });
  const late = timeout(METRICS_TIMEOUT_MS).then(() => undefined);
  const stored = await Promise.race([reading.catch(() => undefined), late]);
  const files = await Promise.race([filesOf(engine), late]);
  return [
    ['parlance_storage_up', 'Whether the database answered this scrape (1 or 0).', stored?.isInPlace ? 1 : 0],
    [
      'parlance_event_lag_seconds',
      'How far the delivery of events is behind the log in this process, in seconds.',
      hub.lagMs(clock.now()) / 1000,
    ],
    ['parlance_polls_waiting', 'Long polls waiting for events in this process.', hub.waiting],
    [
      'parlance_worker_running',
      'Whether the background worker runs and its last check succeeded (1 or 0).',
      worker.state === 'running' ? 1 : 0,
    ],
    [
      'parlance_commit_groups',
      'Transactions since the start that each combine several small writes.',
      storage.commits?.groups,
    ],
    [
      'parlance_commit_grouped_writes',
      'Writes in parlance_commit_groups. Divide by it to get the average group size.',
      storage.commits?.writes,
    ],
    [
      'parlance_files_up',
      'Whether the server can read and store uploaded files (1 or 0).',
      files === undefined ? undefined : Number(files === 'ok'),
    ],
    ['parlance_event_queues', 'Event queues in the database. 10001 means more than 10000.', stored?.queues],
    ['parlance_event_log_length', 'Positions between the oldest and the newest event in the log.', stored?.logLength],
    ['parlance_outbox_items', 'Pending side effects, such as e-mails. 10001 means more than 10000.', stored?.open],
    [
      'parlance_outbox_age_seconds',
      'How long the oldest pending side effect of a kind has been waiting, in seconds.',
      stored?.outboxAge,
    ],
    [
      'parlance_outbox_given_up_items',
      'Side effects given up in the last 30 days. 10001 means more than 10000.',
      stored?.givenUp,
    ],
  ];
}

/** Lasting problems. All other storage errors are defects, and each is logged. */
const LASTING_REASONS: readonly StorageErrorReason[] = [
  'unreachable',
  'busy',
  'full',
  'io',
  'read-only',
  'outdated',
  'moved',
];
const CHECK_INTERVAL_MS = 2_000;
const LOG_INTERVAL_MS = 60_000;
/**
 * Milliseconds without a failure before a problem counts as over. A check only reads, so it does not prove that writes
 * work.
 */
const RECOVERED_AFTER_MS = 30_000;

const FILE_REPLACED = 'the database file was removed or replaced; new data will be lost';
const ADVICE = 'move the file back, or restart the server to use the file that is there now, or a restored backup';

interface Trouble {
  reason: StorageErrorReason;
  since: number;
  lastAt: number;
  loggedAt: number;
  failures: number;
  timer: NodeJS.Timeout;
}

/**
 * A log that groups database failures: a line at the beginning, a count every minute, and a line at the end. Otherwise
 * thousands of stack traces would hide when and why the problem began. The last line has the same level as the first,
 * so that a filter shows both.
 */
export class DatabaseTrouble implements Logger {
  #trouble: Trouble | undefined;
  #state: () => Promise<string> = async () => 'ok';
  #fileTimer: NodeJS.Timeout | undefined;

  constructor(private readonly inner: Logger) {}

  /** @param state returns `ok` if the database can be read, otherwise the problem */
  watch(state: () => Promise<string>): void {
    this.#state = state;
  }

  /** Logs when the file at the path is no longer the open database. */
  watchFile(path: string): void {
    let isGone = false;
    this.#fileTimer = setInterval(async () => {
      const wasGone = isGone;
      isGone = (await this.#state()) === DISPLACED;
      if (isGone && !wasGone) this.inner.error({ path, advice: ADVICE }, FILE_REPLACED);
      else if (!isGone && wasGone) this.inner.error({ path }, 'the database file is back');
    }, CHECK_INTERVAL_MS).unref();
  }

  close(): void {
    clearInterval(this.#fileTimer);
    if (this.#trouble) clearInterval(this.#trouble.timer);
    this.#trouble = undefined;
  }

  debug(data: object, message: string): void {
    this.inner.debug(data, message);
  }

  info(data: object, message: string): void {
    this.inner.info(data, message);
  }

  warn(data: object, message: string): void {
    if (!this.#isTold(data)) this.inner.warn(data, message);
  }

  error(data: object, message: string): void {
    if (!this.#isTold(data)) this.inner.error(data, message);
  }

  /** Whether the error is part of a lasting problem and needs no log line. */
  #isTold(data: object): boolean {
    const error = 'error' in data ? data.error : undefined;
    if (!(error instanceof StorageError) || !LASTING_REASONS.includes(error.reason)) return false;
    const now = performance.now();
    if (this.#trouble) {
      this.#trouble.failures++;
      this.#trouble.lastAt = now;
      return true;
    }
    const timer = setInterval(() => void this.#look(), CHECK_INTERVAL_MS).unref();
    this.#trouble = { reason: error.reason, since: now, lastAt: now, loggedAt: now, failures: 1, timer };
    this.inner.error({ reason: error.reason, cause: error.message }, 'the database cannot be used');
    return true;
  }

  async #look(): Promise<void> {
    const trouble = this.#trouble;
    if (!trouble) return;
    const doesAnswer = (await this.#state()) === 'ok';
    if (this.#trouble !== trouble) return;
    const now = performance.now();
    const { reason, failures, since } = trouble;
    const isProof = reason === 'unreachable' || now - trouble.lastAt >= RECOVERED_AFTER_MS;
    const facts = { reason, failures, seconds: Math.round((now - since) / 1000) };
    if (doesAnswer && isProof) {
      clearInterval(trouble.timer);
      this.#trouble = undefined;
      this.inner.error(facts, 'the database can be used again');
    } else if (now - trouble.loggedAt >= LOG_INTERVAL_MS) {
      trouble.loggedAt = now;
      this.inner.error(facts, 'the database still cannot be used');
    }
  }
}
