import { setTimeout as wait } from 'node:timers/promises';
import type { Gauge, Registry } from 'prom-client';
import { type ChatMetrics, VERSION } from '../lib/internal.ts';

/** A metric that is read when metrics are requested. Undefined: unknown. */
type Reading = readonly [name: string, help: string, value: number | undefined];

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
  const version = { name: 'parlance_build_info', help: 'The running version.', labelNames: ['version'], registers };
  new Gauge(version).set({ version: VERSION }, 1);
  return {
    own,
    text: () => Registry.merge(both).metrics(),
    gauge: (name: string, help: string) =>
      (own.getSingleMetric(name) as Gauge | undefined) ?? new Gauge({ name, help, registers }),
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
  readonly #watched: (() => Promise<readonly Reading[]>)[] = [];

  /** The current metrics. Omits values of the chat that take longer than 2 seconds. */
  async text(): Promise<string> {
    const { gauge, text } = await this.#loaded;
    for (const [name, help, value] of (await Promise.all(this.#watched.map((read) => read()))).flat()) {
      // Omit unknown values instead of reporting 0.
      if (value === undefined) gauge(name, help).remove();
      else gauge(name, help).set(value);
    }
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

  /** Adds metrics of a listener: queued requests, and unread bytes of large responses. Called by `requestListener`. */
  watchListener(read: () => { waiting: number; unsent: number }): void {
    this.#watched.push(async () => {
      const { waiting, unsent } = read();
      return [
        ['parlance_http_requests_waiting', 'Requests queued because their account uses much server time.', waiting],
        ['parlance_http_unsent_bytes', 'Bytes of large responses that clients have not read yet.', unsent],
      ];
    });
  }

  /** Adds metrics of connections. Called by the server. */
  watchConnections(count: () => Promise<number>): void {
    this.#watched.push(async () => [['parlance_http_connections', 'Open connections.', await count()]]);
  }

  /** Adds metrics of the chat. Called by `requestListener`. */
  watchChat(chat: { metrics(): Promise<ChatMetrics> }): void {
    this.#watched.push(async () => {
      const late = wait(CHAT_TIMEOUT_MS, undefined, { ref: false });
      const now = await Promise.race([chat.metrics().catch(() => undefined), late]);
      const isUp = now?.isStorageUp ? 1 : 0;
      return [
        ['parlance_storage_up', 'Whether the database answered this scrape (1 or 0).', isUp],
        ...CHAT_METRICS.map(([field, name, help]): Reading => [name, help, now?.[field]]),
      ];
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
