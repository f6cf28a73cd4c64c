import { Gauge, Registry } from 'prom-client';
import { type ChatFigures, VERSION } from '../lib/internal.ts';
import { watchProcess } from './process-metrics.ts';
import { RequestFigures } from './request-figures.ts';

/** What a listener knows of itself at the moment. */
export interface ListenerFigures {
  /** Requests that wait for the turn of their account. */
  waiting: number;
  /** Bytes of large answers that have not been read. */
  unsent: number;
}

/** Milliseconds for which the chat may be asked; then what it does not tell is left out. */
const PATIENCE = 2_000;

/** What a server counts, with prom-client, which is large: whoever counts nothing does not load it. */
export class Figures {
  readonly #registry = new Registry();
  readonly #requests = new RequestFigures(this.#registry);
  readonly #refreshers: (() => void | Promise<void>)[] = [];
  readonly #process = watchProcess(this.#registry);

  constructor() {
    this.#gauge('parlance_build_info', 'The version that runs.', ['version']).set({ version: VERSION }, 1);
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

  watchListener(figures: () => ListenerFigures): void {
    const waiting = this.#gauge('parlance_http_requests_waiting', 'Requests that wait for the turn of their account.');
    const unsent = this.#gauge('parlance_http_unsent_bytes', 'Bytes of large answers that have not been read yet.');
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

  watchChat(chat: { figures(): Promise<ChatFigures> }): void {
    const up = this.#gauge('parlance_storage_up', 'Whether the database answered when this was gathered.');
    const gauges = FIGURES.map(([field, name, help]) => [field, this.#gauge(name, help)] as const);
    this.#refreshers.push(async () => {
      const now = await within(PATIENCE, chat.figures());
      up.set(now?.isStorageUp ? 1 : 0);
      for (const [field, gauge] of gauges) {
        const value = now?.[field];
        // What is not known is left out, not told as nothing.
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

const FIGURES: readonly (readonly [Exclude<keyof ChatFigures, 'isStorageUp'>, name: string, help: string])[] = [
  ['pollsWaiting', 'parlance_polls_waiting', 'Long polls that wait for events in this process.'],
  ['workerRuns', 'parlance_worker_running', 'Whether the background worker runs and its last look succeeded.'],
  [
    'commitGroups',
    'parlance_commit_groups',
    'Transactions of small writes since the start, each for all that came together.',
  ],
  ['groupedWrites', 'parlance_commit_grouped_writes', 'Writes in these; divided by them it is the size of a group.'],
  ['queues', 'parlance_event_queues', 'Event queues of clients in the database; 10001 stands for more than 10000.'],
  ['logLength', 'parlance_event_log_length', 'Places between the oldest event that is kept and the newest.'],
  ['outboxItems', 'parlance_outbox_items', 'Side effects to be done; 10001 stands for more than 10000.'],
  ['outboxAge', 'parlance_outbox_age_seconds', 'For how long the oldest of them is overdue.'],
  [
    'outboxGivenUp',
    'parlance_outbox_given_up_items',
    'Side effects that were given up in the last thirty days; at most 10001.',
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
