import type { Metric, MetricType, MetricValue, Registry } from 'prom-client';

/** Seconds. Small reads take a millisecond or two; what takes ten seconds is in trouble. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** What is known of the requests of one operation. */
interface Tally {
  readonly byStatus: Map<number, number>;
  /** How many took no longer than each bound and longer than the one before it; the last had no bound. */
  readonly byDuration: number[];
  seconds: number;
}

/**
 * Figures of requests by operation, counted here and told when they are asked for: the counters of prom-client look
 * for their labels with each request, which costs more than the rest of the count.
 */
export class RequestFigures {
  readonly #tallies = new Map<string, Tally>();
  #bytes = 0;

  constructor(registry: Registry) {
    const help = 'Requests by operation and status; 499: the client went away before the answer.';
    add(registry, 'parlance_http_requests_total', help, 'counter', () => this.#statuses());
    const duration = 'parlance_http_request_duration_seconds';
    const since = 'Time from a request to the end of its answer, without what a poll waited for events.';
    add(registry, duration, since, 'histogram', () => this.#durations(duration));
    const bytes = 'parlance_http_sent_bytes_total';
    add(registry, bytes, 'Bytes of answers, headers included.', 'counter', () => [{ labels: {}, value: this.#bytes }]);
  }

  /** Of one request that has ended. */
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

/** A metric as the registry asks for it. */
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
