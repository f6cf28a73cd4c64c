/** Milliseconds for a request to arrive. A slower request frees its place until it has arrived. */
const MAX_ARRIVAL_MS = 20;
/** Milliseconds of work before a request frees its place, although it continues. */
const MAX_HOLD_MS = 1_000;
/** Maximum number of such requests, because they compete for the disk and the database. */
const MAX_OVERDUE = 3;

/** A request in a room. */
export interface Reservation {
  /** The request has fully arrived. */
  begin(): void;
  /** Whether it has worked longer than a turn and is still working. */
  readonly isOverdue: boolean;
  leave(): void;
}

/** Limits the work under way by its expected milliseconds. An empty room takes any request. */
export class ConcurrencyBudget {
  readonly #size: number;
  readonly #mostOfOne: number;
  #underway = 0;
  #expected = 0;
  #overdue = 0;

  /** @param mostOfOne maximum milliseconds that a request counts */
  constructor(size: number, mostOfOne = Number.POSITIVE_INFINITY) {
    this.#size = size;
    this.#mostOfOne = mostOfOne;
  }

  hasPlaceFor(expected: number): boolean {
    return this.#underway === 0 || this.#expected + Math.min(expected, this.#mostOfOne) <= this.#size;
  }

  /** @param passed called when the request frees its place before it leaves */
  enter(expected: number, passed: () => void): Reservation {
    const taken = Math.min(expected, this.#mostOfOne);
    let isWorking = false;
    let isOverdue = false;
    let holdsRoom = false;
    let timer: NodeJS.Timeout | undefined;
    const give = () => {
      if (!holdsRoom) return;
      holdsRoom = false;
      this.#underway--;
      this.#expected = this.#underway === 0 ? 0 : this.#expected - taken;
    };
    const take = () => {
      if (holdsRoom) return;
      holdsRoom = true;
      this.#underway++;
      this.#expected += taken;
    };
    const pass = () => {
      if (isWorking && this.#overdue >= MAX_OVERDUE) {
        timer = setTimeout(pass, MAX_HOLD_MS).unref();
        return;
      }
      isOverdue = isWorking;
      if (isOverdue) this.#overdue++;
      give();
      passed();
    };
    take();
    timer = setTimeout(pass, MAX_ARRIVAL_MS);
    return {
      begin: () => {
        isWorking = true;
        clearTimeout(timer);
        timer = setTimeout(pass, MAX_HOLD_MS).unref();
        take();
      },
      get isOverdue() {
        return isOverdue;
      },
      leave: () => {
        clearTimeout(timer);
        give();
        if (isOverdue) this.#overdue--;
        isOverdue = false;
      },
    };
  }
}
