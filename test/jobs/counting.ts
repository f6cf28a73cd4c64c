import { type Clock, systemClock } from '../../lib/adapters/clock.ts';
import type { Storage } from '../../lib/index.ts';

/** The system's clock, with a count of its running timers. */
export class CountingClock implements Clock {
  live = 0;
  most = 0;
  /** Duration of the latest timer. */
  lastMs = 0;

  now(): number {
    return systemClock.now();
  }

  after(ms: number, callback: () => void): () => void {
    this.lastMs = ms;
    this.most = Math.max(this.most, ++this.live);
    let isLive = true;
    const end = () => {
      if (isLive) this.live--;
      isLive = false;
    };
    const cancel = systemClock.after(ms, () => {
      end();
      callback();
    });
    return () => {
      end();
      cancel();
    };
  }
}

export interface Counts {
  reads: number;
  writes: number;
  exclusive: number;
  readonly statements: number;
}

/** Counts the transactions of a storage from now on. */
export function countingTransactions(storage: Storage): Counts {
  const read = storage.read.bind(storage);
  const write = storage.write.bind(storage);
  const counter = storage as Storage & { statements: number };
  const counts = {
    reads: 0,
    writes: 0,
    exclusive: 0,
    get statements() {
      return counter.statements;
    },
  };
  storage.read = (work) => {
    counts.reads++;
    return read(work);
  };
  storage.write = (work, kind = 'write') => {
    counts.writes++;
    if (kind === 'write') counts.exclusive++;
    return write(work, kind);
  };
  return counts;
}
