import type { Gauge, Registry } from 'prom-client';
import { type ChatMetrics, VERSION } from '../lib/internal.ts';

/** The current state of a listener. */
export interface ListenerMetrics {
  /** Queued requests. */
  waiting: number;
  /** Unread bytes of large responses. */
  unsent: number;
}

/** Milliseconds to wait for the chat. Later values are omitted. */
const CHAT_TIMEOUT_MS = 2_000;

/** Seconds. Small reads take 1 to 2 ms. Requests above 10 s are a problem. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Process metrics under the usual names. For all servers of the process, since their observers never stop. */
let ofProcess: Registry | undefined;

/** Loads prom-client only if there are metrics. */
async function load() {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client');
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  const own = new Registry();
  const both = [ofProcess, own];
  const registers = [own];
  const gauge = (name: string, help: string, labelNames: string[] = []): Gauge<string> =>
    (own.getSingleMetric(name) as Gauge<string> | undefined) ?? new Gauge({ name, help, labelNames, registers });
  gauge('parlance_build_info', 'The running version.', ['version']).set({ version: VERSION }, 1);
  return {
    own,
    text: () => Registry.merge(both).metrics(),
    gauge,
    requests: new Counter({
      name: 'parlance_http_requests_total',
      help: 'Requests by operation and status. Status 499: the client disconnected before the response.',
      labelNames: ['operation', 'status'],
      registers,
    }),
    durations: new Histogram({
      name: 'parlance_http_request_duration_seconds',
      help: 'Time from the request to the end of the response, without the time that a long poll waits for events.',
      labelNames: ['operation'],
      buckets: BUCKETS,
      registers,
    }),
    bytes: new Counter({
      name: 'parlance_http_sent_bytes_total',
      help: 'Bytes of responses, including headers.',
      registers,
    }),
  };
}

/**
 * Metrics of a server in the Prometheus text format. Each instance has its own registry, so a program can have other
 * metrics, or several chats.
 * @example
 * const metrics = new Metrics();
 * const listener = requestListener(chat, { metrics });
 * console.log(await metrics.text());
 */
export class Metrics {
  /** The Content-Type of `text()`. */
  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';
  readonly #loaded = load();
  readonly #refreshers: (() => Promise<void>)[] = [];

  /** The current metrics. Omits values of the chat that take longer than 2 seconds. */
  async text(): Promise<string> {
    const { text } = await this.#loaded;
    await Promise.all(this.#refreshers.map((refresh) => refresh()));
    return text();
  }

  /** Releases the counted values. */
  close(): void {
    void this.#loaded.then(({ own }) => own.clear());
  }

  /**
   * Counts a finished request. Called by the listener.
   * @param operation name such as `messages.send`
   * @param bytes size of the response
   */
  count(operation: string, status: number, seconds: number, bytes: number): void {
    void this.#loaded.then((metrics) => {
      metrics.requests.inc({ operation, status });
      metrics.durations.observe({ operation }, seconds);
      metrics.bytes.inc(bytes);
    });
  }

  /** Adds metrics of a listener. Called by `requestListener`. */
  watchListener(read: () => ListenerMetrics): void {
    this.#refreshers.push(async () => {
      const { gauge } = await this.#loaded;
      const { waiting, unsent } = read();
      gauge('parlance_http_requests_waiting', 'Requests queued because their account uses much server time.').set(
        waiting,
      );
      gauge('parlance_http_unsent_bytes', 'Bytes of large responses that clients have not read yet.').set(unsent);
    });
  }

  /** Adds metrics of connections. Called by the server. */
  watchConnections(count: () => Promise<number>): void {
    this.#refreshers.push(async () => {
      const { gauge } = await this.#loaded;
      gauge('parlance_http_connections', 'Open connections.').set(await count());
    });
  }

  /** Adds metrics of the chat. Called by `requestListener`. */
  watchChat(chat: { metrics(): Promise<ChatMetrics> }): void {
    this.#refreshers.push(async () => {
      const { gauge } = await this.#loaded;
      const now = await within(CHAT_TIMEOUT_MS, chat.metrics());
      gauge('parlance_storage_up', 'Whether the database answered this scrape (1 or 0).').set(now?.isStorageUp ? 1 : 0);
      for (const [field, name, help] of CHAT_METRICS) {
        const value = now?.[field];
        // Omit unknown values instead of reporting 0.
        if (value === undefined) gauge(name, help).remove();
        else gauge(name, help).set(value);
      }
    });
  }
}

const CHAT_METRICS: readonly (readonly [Exclude<keyof ChatMetrics, 'isStorageUp'>, name: string, help: string])[] = [
  ['pollsWaiting', 'parlance_polls_waiting', 'Long polls waiting for events in this process.'],
  [
    'workerRuns',
    'parlance_worker_running',
    'Whether the background worker runs and its last check succeeded (1 or 0).',
  ],
  ['commitGroups', 'parlance_commit_groups', 'Transactions since the start that each combine several small writes.'],
  [
    'groupedWrites',
    'parlance_commit_grouped_writes',
    'Writes in parlance_commit_groups. Divide by it to get the average group size.',
  ],
  ['queues', 'parlance_event_queues', 'Event queues in the database. 10001 means more than 10000.'],
  ['logLength', 'parlance_event_log_length', 'Positions between the oldest and the newest event in the log.'],
  ['outboxItems', 'parlance_outbox_items', 'Pending side effects, such as e-mails. 10001 means more than 10000.'],
  ['outboxAge', 'parlance_outbox_age_seconds', 'How long the oldest pending side effect is overdue, in seconds.'],
  [
    'outboxGivenUp',
    'parlance_outbox_given_up_items',
    'Side effects given up in the last 30 days. 10001 means more than 10000.',
  ],
];

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  try {
    return await Promise.race([work.catch(() => undefined), limit]);
  } finally {
    clearTimeout(timer);
  }
}
