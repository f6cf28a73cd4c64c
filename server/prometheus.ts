import { Gauge, Registry } from 'prom-client';
import { type ChatMetrics, VERSION } from '../lib/internal.ts';
import { watchProcess } from './process-metrics.ts';
import { RequestMetrics } from './request-metrics.ts';

/** The current state of a listener. */
export interface ListenerMetrics {
  /** Queued requests. */
  waiting: number;
  /** Unread bytes of large responses. */
  unsent: number;
}

/** Milliseconds to wait for the chat. Later values are omitted. */
const CHAT_TIMEOUT_MS = 2_000;

/** The metrics of a server. In its own file, so that prom-client is loaded only if needed. */
export class PrometheusMetrics {
  readonly #registry = new Registry();
  readonly #requests = new RequestMetrics(this.#registry);
  readonly #refreshers: (() => void | Promise<void>)[] = [];
  readonly #process = watchProcess(this.#registry);

  constructor() {
    this.#gauge('parlance_build_info', 'The running version.', ['version']).set({ version: VERSION }, 1);
  }

  async text(): Promise<string> {
    await Promise.all(this.#refreshers.map((refresh) => refresh()));
    return this.#registry.metrics();
  }

  close(): void {
    this.#process.close();
  }

  count(operation: string, status: number, seconds: number, bytes: number): void {
    this.#requests.count(operation, status, seconds, bytes);
  }

  watchListener(figures: () => ListenerMetrics): void {
    const waiting = this.#gauge(
      'parlance_http_requests_waiting',
      'Requests queued because their account uses much server time.',
    );
    const unsent = this.#gauge(
      'parlance_http_unsent_bytes',
      'Bytes of large responses that clients have not read yet.',
    );
    this.#refreshers.push(() => {
      const now = figures();
      waiting.set(now.waiting);
      unsent.set(now.unsent);
    });
  }

  watchConnections(count: () => Promise<number>): void {
    const connections = this.#gauge('parlance_http_connections', 'Open connections.');
    this.#refreshers.push(async () => connections.set(await count()));
  }

  watchChat(chat: { metrics(): Promise<ChatMetrics> }): void {
    const up = this.#gauge('parlance_storage_up', 'Whether the database answered this scrape (1 or 0).');
    const gauges = FIGURES.map(([field, name, help]) => [field, this.#gauge(name, help)] as const);
    this.#refreshers.push(async () => {
      const now = await within(CHAT_TIMEOUT_MS, chat.metrics());
      up.set(now?.isStorageUp ? 1 : 0);
      for (const [field, gauge] of gauges) {
        const value = now?.[field];
        // Omit unknown values instead of reporting 0.
        if (value === undefined) gauge.remove();
        else gauge.set(value);
      }
    });
  }

  #gauge(name: string, help: string, labelNames: string[] = []): Gauge<string> {
    const known = this.#registry.getSingleMetric(name);
    return known ? (known as Gauge<string>) : new Gauge({ name, help, labelNames, registers: [this.#registry] });
  }
}

const FIGURES: readonly (readonly [Exclude<keyof ChatMetrics, 'isStorageUp'>, name: string, help: string])[] = [
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
