import { readdir } from 'node:fs/promises';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';

const NANOSECONDS = 1e9;
/** Milliseconds between two looks at the clock; a timer that is on time counts as so late. */
const RESOLUTION = 20;

/**
 * What this process takes of its machine, under the names that dashboards know. Not `collectDefaultMetrics`: that one
 * never lets go of its timers and observers, and a program may open and close servers.
 */
export function watchProcess(registry: Registry): { close(): void } {
  const registers = [registry];
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
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
    help: 'Processor time of this process.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  const startedAt = (performance.timeOrigin / 1000) | 0;
  gauge('process_start_time_seconds', 'When this process started, seconds since 1970.', () => startedAt);
  gauge('process_resident_memory_bytes', 'Memory of this process.', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed);
  gauge('nodejs_external_memory_bytes', 'Memory of buffers beside the heap.', () => process.memoryUsage().external);
  new Gauge({
    name: 'process_open_fds',
    help: 'Open files and sockets, where the system tells.',
    registers,
    async collect() {
      const open = await readdir('/proc/self/fd').catch(() => undefined);
      if (open) this.set(open.length);
      else this.remove();
    },
  });
  const late = (ns: number) => (Number.isFinite(ns) ? Math.max(0, ns / NANOSECONDS - RESOLUTION / 1000) : 0);
  gauge('nodejs_eventloop_lag_p50_seconds', 'By how much timers come late, half of them.', () =>
    late(delay.percentile(50)),
  );
  gauge('nodejs_eventloop_lag_p99_seconds', 'Likewise one in a hundred.', () => late(delay.percentile(99)));
  gauge('nodejs_eventloop_lag_max_seconds', 'The worst since this was last gathered.', () => {
    const worst = late(delay.max);
    delay.reset();
    return worst;
  });
  return { close: () => void delay.disable() };
}
