export interface Count {
  /** With this one. */
  taken: number;
  /** When the window is over, milliseconds since the epoch. */
  endsAt: number;
}

/** Counts by key in windows of a fixed length; a key's window opens with its first count. */
export class WindowCounter {
  readonly #milliseconds: number;
  readonly #counts = new Map<string | number, Count>();
  #nextSweep = 0;

  constructor(seconds: number) {
    this.#milliseconds = seconds * 1000;
  }

  take(key: string | number, now: number): Count {
    let count = this.#counts.get(key);
    if (count && count.endsAt > now) count.taken++;
    else {
      if (now >= this.#nextSweep) this.#sweep(now);
      count = { taken: 1, endsAt: now + this.#milliseconds };
      this.#counts.set(key, count);
    }
    return count;
  }

  giveBack(key: string | number): void {
    const count = this.#counts.get(key);
    if (count) count.taken--;
  }

  /** Once in a window, so that keys which do not come back take no memory for longer than two. */
  #sweep(now: number): void {
    this.#nextSweep = now + this.#milliseconds;
    for (const [key, { endsAt }] of this.#counts) if (endsAt <= now) this.#counts.delete(key);
  }
}
