import type pg from 'pg';
import { clockDifference } from '../../rules/clock-difference.ts';

/** Differences up to this many milliseconds may be noise of the measurement. */
const NOISE_MS = 50;
const TIME = 'SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS double precision) AS ms';

/** Times in milliseconds since the epoch: the database's, between two of this process. */
export interface ClockMeasurement {
  sentMs: number;
  databaseMs: number;
  receivedMs: number;
}

/** The clock of the database, as an offset to the clock of this process. */
export class DatabaseClock {
  /** Milliseconds to add to `Date.now()` for the time of the database. */
  offsetMs = 0;
  #isReported = false;

  /** Asks the database for its time; returns whether the offset has changed. */
  async measure(client: pg.ClientBase): Promise<boolean> {
    const sentMs = Date.now();
    const { rows } = await client.query<{ ms: number }>(TIME);
    return this.take({ sentMs, databaseMs: Number(rows[0]?.ms), receivedMs: Date.now() });
  }

  /**
   * Takes a measurement; returns whether the offset has changed. The error of a measurement is at most half the round
   * trip. An offset within that error stays, so that time does not jump.
   */
  take({ sentMs, databaseMs, receivedMs }: ClockMeasurement): boolean {
    const offsetMs = databaseMs - (sentMs + receivedMs) / 2;
    const errorMs = Math.max(NOISE_MS, (receivedMs - sentMs) / 2);
    if (Math.abs(offsetMs - this.offsetMs) <= errorMs) return false;
    this.offsetMs = Math.round(offsetMs);
    return true;
  }

  /** A warning for the operator, once each time that the clocks have come to differ by more than 5 s. */
  takeWarning(): string | undefined {
    const difference = clockDifference(this.offsetMs);
    const wasReported = this.#isReported;
    this.#isReported = difference !== undefined;
    if (difference === undefined || wasReported) return undefined;
    return `the clock of this machine is ${difference}; synchronize both machines with a time server, for example with chrony or systemd-timesyncd`;
  }
}
