import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type MetricValue, VERSION } from '../lib/internal.ts';

/** Seconds. Small reads take 1 to 2 ms. Requests above 10 s are a problem. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

let ofProcess: Registry | undefined;

/** Process metrics under the usual names. For all servers of the process, since their observers never stop. */
function processMetrics(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  const registers = [ofProcess];
  const version = { name: 'parlance_build_info', help: 'The running version.', labelNames: ['version'], registers };
  new Gauge(version).set({ version: VERSION }, 1);
  return ofProcess;
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
  readonly #process = processMetrics();
  readonly #own = new Registry();
  readonly #requests = new Counter({
    name: 'parlance_http_requests_total',
    help: 'Requests by operation and status. Status 499: the client disconnected before the response.',
    labelNames: ['operation', 'status'],
    registers: [this.#own],
  });
  readonly #durations = new Histogram({
    name: 'parlance_http_request_duration_seconds',
    help: 'Time from the request to the end of the response, without the time that a long poll waits for events.',
    labelNames: ['operation'],
    buckets: BUCKETS,
    registers: [this.#own],
  });
  readonly #bytes = new Counter({
    name: 'parlance_http_sent_bytes_total',
    help: 'Bytes of responses, including headers.',
    registers: [this.#own],
  });
  readonly #watched: (() => Promise<readonly MetricValue[]>)[] = [];

  /** The current metrics. Omits values of the database that take longer than 2 seconds. */
  async text(): Promise<string> {
    const values = (await Promise.all(this.#watched.map((read) => read()))).flat();
    const now = new Registry();
    // The last value counts, if several listeners share the metrics.
    for (const [name, help, value] of new Map(values.map((each) => [each[0], each])).values()) {
      // Omit unknown values instead of reporting 0.
      if (value === undefined) continue;
      if (typeof value === 'number') new Gauge({ name, help, registers: [now] }).set(value);
      else {
        const gauge = new Gauge({ name, help, labelNames: ['kind'], registers: [now] });
        for (const [kind, each] of value) gauge.set({ kind }, each);
      }
    }
    return Registry.merge([this.#process, this.#own, now]).metrics();
  }

  /** Releases the counted values. */
  close(): void {
    this.#own.clear();
  }

  /**
   * Counts a finished request. Called by the listener.
   * @param operation name such as `messages.send`
   * @param bytes size of the response
   */
  count(operation: string, status: number, seconds: number, bytes: number): void {
    this.#requests.inc({ operation, status });
    this.#durations.observe({ operation }, seconds);
    this.#bytes.inc(bytes);
  }

  /** Adds metrics. The server calls this. `text` calls `read`. */
  watch(read: () => Promise<readonly MetricValue[]>): void {
    this.#watched.push(read);
  }
}
