import { readdir } from 'node:fs/promises';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';

const NANOSECONDS = 1e9;
/** Milliseconds between two samples. The histogram reports this much delay even for a timer that is on time. */
const RESOLUTION_MS = 20;

/**
 * Process metrics under the usual Prometheus names. Not `collectDefaultMetrics`: it never releases its timers and
 * observers, and a program may open and close several servers.
 */
export function watchProcess(registry: Registry): { close(): void } {
  const registers = [registry];
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of this process in seconds.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  const startedAt = (performance.timeOrigin / 1000) | 0;
  gauge('process_start_time_seconds', 'Start time of this process in UNIX seconds.', () => startedAt);
  gauge('process_resident_memory_bytes', 'Resident memory of this process in bytes.', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', 'Used heap in bytes.', () => process.memoryUsage().heapUsed);
  gauge(
    'nodejs_external_memory_bytes',
    'Memory outside the heap, such as buffers, in bytes.',
    () => process.memoryUsage().external,
  );
  new Gauge({
    name: 'process_open_fds',
    help: 'Open file descriptors. Missing on systems without /proc.',
    registers,
    async collect() {
      const open = await readdir('/proc/self/fd').catch(() => undefined);
      if (open) this.set(open.length);
      else this.remove();
    },
  });
  const late = (ns: number) => (Number.isFinite(ns) ? Math.max(0, ns / NANOSECONDS - RESOLUTION_MS / 1000) : 0);
  gauge('nodejs_eventloop_lag_p50_seconds', 'Event loop delay in seconds, median.', () => late(delay.percentile(50)));
  gauge('nodejs_eventloop_lag_p99_seconds', 'Event loop delay in seconds, 99th percentile.', () =>
    late(delay.percentile(99)),
  );
  gauge('nodejs_eventloop_lag_max_seconds', 'Event loop delay in seconds, maximum since the last scrape.', () => {
    const worst = late(delay.max);
    delay.reset();
    return worst;
  });
  return { close: () => void delay.disable() };
}
