import type { ChatMetrics } from '../lib/internal.ts';
import type { ListenerMetrics, PrometheusMetrics } from './prometheus.ts';

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
  #prometheus: PrometheusMetrics | undefined;
  readonly #loaded = import('./prometheus.ts').then(({ PrometheusMetrics }) => {
    this.#prometheus = new PrometheusMetrics();
    return this.#prometheus;
  });

  /** The current metrics. Omits values of the chat that take longer than 2 seconds. */
  async text(): Promise<string> {
    return (await this.#loaded).text();
  }

  /** Stops the timers for process metrics. */
  close(): void {
    this.#tell((prometheus) => prometheus.close());
  }

  /**
   * Counts a finished request. Called by the listener.
   * @param operation name such as `messages.send`
   * @param bytes size of the response
   */
  count(operation: string, status: number, seconds: number, bytes: number): void {
    if (this.#prometheus) this.#prometheus.count(operation, status, seconds, bytes);
    else this.#tell((prometheus) => prometheus.count(operation, status, seconds, bytes));
  }

  /** Adds metrics of a listener. Called by `requestListener`. */
  watchListener(read: () => ListenerMetrics): void {
    this.#tell((prometheus) => prometheus.watchListener(read));
  }

  /** Adds metrics of connections. Called by the server. */
  watchConnections(count: () => Promise<number>): void {
    this.#tell((prometheus) => prometheus.watchConnections(count));
  }

  /** Adds metrics of the chat. Called by `requestListener`. */
  watchChat(chat: { metrics(): Promise<ChatMetrics> }): void {
    this.#tell((prometheus) => prometheus.watchChat(chat));
  }

  /** Runs the calls in order, after the metrics are loaded. */
  #tell(work: (prometheus: PrometheusMetrics) => void): void {
    void this.#loaded.then(work);
  }
}
