/** Milliseconds in which a request arrives as a whole, or else keeps no room meanwhile. */
const ARRIVAL = 20;
/** Milliseconds after which others have their turn, though this one goes on. */
const MAX_TURN = 1_000;
/** How many may go on like that: they take the disk and the database from each other, and from everybody. */
const MAX_OVERDUE = 3;

/** A request in a room. */
export interface Place {
  /** It has arrived as a whole. */
  begin(): void;
  /** Whether it has worked for longer than a turn, and is still there. */
  readonly isOverdue: boolean;
  leave(): void;
}

/** Where work is under way: so much at a time as is expected to take some milliseconds together, or one that takes more. */
export class Room {
  readonly #size: number;
  readonly #mostOfOne: number;
  #underway = 0;
  #expected = 0;
  #overdue = 0;

  /** @param mostOfOne milliseconds that one takes of the size at most, whatever is expected of it */
  constructor(size: number, mostOfOne = Number.POSITIVE_INFINITY) {
    this.#size = size;
    this.#mostOfOne = mostOfOne;
  }

  hasPlaceFor(expected: number): boolean {
    return this.#underway === 0 || this.#expected + Math.min(expected, this.#mostOfOne) <= this.#size;
  }

  /** @param passed called when there is room for others, though this one has not left */
  enter(expected: number, passed: () => void): Place {
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
        timer = setTimeout(pass, MAX_TURN).unref();
        return;
      }
      isOverdue = isWorking;
      if (isOverdue) this.#overdue++;
      give();
      passed();
    };
    take();
    timer = setTimeout(pass, ARRIVAL);
    return {
      begin: () => {
        isWorking = true;
        clearTimeout(timer);
        timer = setTimeout(pass, MAX_TURN).unref();
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
