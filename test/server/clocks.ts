import { EventEmitter, once } from 'node:events';
import type { TestContext } from 'node:test';
import type { Logger } from '../../lib/index.ts';
import { postgresPlace } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { type Running, running } from './running.ts';

export const MINUTE_MS = 60_000;
/** Until a test fails. */
const PATIENCE_MS = 60_000;

/** Shows the details of `/ready`. */
const TOKEN = 'a-token-of-some-length';

/** Moves the clock of this process by so many milliseconds, until the test ends. */
export function movableClock(t: TestContext): (offMs: number) => void {
  const now = Date.now;
  let off = 0;
  t.mock.method(Date, 'now', () => now() + off);
  return (offMs) => {
    off = offMs;
  };
}

export interface Watched extends Running {
  /** Warnings about clocks in the log. */
  warnings: string[];
  /** Details of `/ready`. */
  ready(): Promise<unknown>;
  /** Resolves when the log contains so many warnings about clocks. */
  untilWarned(times: number): Promise<void>;
}

/** A server on PostgreSQL that keeps its warnings about clocks. */
export async function watched(t: TestContext): Promise<Watched> {
  const place = await postgresPlace();
  const warnings: string[] = [];
  const log = new EventEmitter();
  const logger: Logger = {
    debug() {},
    info() {},
    warn(_, message) {
      if (!message.startsWith('the clock')) return;
      warnings.push(message);
      log.emit('warning');
    },
    error() {},
  };
  const server = await running(t, { inspectionToken: TOKEN }, { storage: place.storage(), logger });
  // Registered after the end of the server, so it runs after it.
  t.after(() => place.drop());
  return {
    ...server,
    warnings,
    async ready() {
      return until('the storage answers /ready', async () => {
        const { status, body } = await server.send('GET', '/ready', { auth: `Bearer ${TOKEN}` });
        // A busy machine may exceed the timeout of the server.
        return !body.parts.storage.startsWith('no answer') && { code: status, ...body };
      });
    },
    async untilWarned(times) {
      while (warnings.length < times) {
        await once(log, 'warning', { signal: AbortSignal.timeout(PATIENCE_MS) });
      }
    },
  };
}
