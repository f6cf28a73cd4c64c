import type { Metric, MetricType, MetricValue, Registry } from 'prom-client';

/** Seconds. Small reads take 1 to 2 ms. Requests above 10 s are a problem. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Counts of the requests of an operation. */
interface Tally {
  readonly byStatus: Map<number, number>;
  /** Number of requests in each bucket. The last bucket has no upper bound. */
  readonly byDuration: number[];
  seconds: number;
}

/**
 * Request metrics by operation, counted here and exported on demand. Counters of prom-client look up their labels for
 * each request, which costs more than everything around them.
 */
export class RequestMetrics {
  readonly #tallies = new Map<string, Tally>();
  #bytes = 0;

  constructor(registry: Registry) {
    const help = 'Requests by operation and status. Status 499: the client disconnected before the response.';
    add(registry, 'parlance_http_requests_total', help, 'counter', () => this.#statuses());
    const duration = 'parlance_http_request_duration_seconds';
    const since =
      'Time from the request to the end of the response, without the time that a long poll waits for events.';
    add(registry, duration, since, 'histogram', () => this.#durations(duration));
    const bytes = 'parlance_http_sent_bytes_total';
    add(registry, bytes, 'Bytes of responses, including headers.', 'counter', () => [
      { labels: {}, value: this.#bytes },
    ]);
  }

  /** Counts a finished request. */
  count(operation: string, status: number, seconds: number, bytes: number): void {
    let tally = this.#tallies.get(operation);
    if (!tally) {
      tally = { byStatus: new Map(), byDuration: Array(BUCKETS.length + 1).fill(0), seconds: 0 };
      this.#tallies.set(operation, tally);
    }
    tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1);
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] as number)) bucket++;
    tally.byDuration[bucket] = (tally.byDuration[bucket] as number) + 1;
    tally.seconds += seconds;
    this.#bytes += bytes;
  }

  #statuses(): Value[] {
    return [...this.#tallies].flatMap(([operation, { byStatus }]) =>
      [...byStatus].map(([status, value]) => ({ labels: { operation, status }, value })),
    );
  }

  #durations(name: string): Value[] {
    return [...this.#tallies].flatMap(([operation, { byDuration, seconds }]) => {
      let total = 0;
      const buckets = byDuration.map((count, at) => {
        total += count;
        return { metricName: `${name}_bucket`, labels: { operation, le: BUCKETS[at] ?? '+Inf' }, value: total };
      });
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels: { operation }, value: seconds },
        { metricName: `${name}_count`, labels: { operation }, value: total },
      ];
    });
  }
}

type Value = MetricValue<string> & { metricName?: string };

/** Registers a metric whose values are computed on demand. */
function add(
  registry: Registry,
  name: string,
  help: string,
  type: 'counter' | 'histogram',
  values: () => Value[],
): void {
  const get = async () => ({ name, help, type: type as unknown as MetricType, values: values(), aggregator: 'sum' });
  registry.registerMetric({ name, help, type, get } as unknown as Metric);
}
