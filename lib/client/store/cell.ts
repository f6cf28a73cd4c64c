import type { Cell } from './types.ts';

/** Collects the cells that change, and notifies their listeners when the outermost `run` ends. */
export class Batch {
  #depth = 0;
  readonly #changed = new Set<BaseCell<unknown>>();

  run<T>(work: () => T): T {
    this.#depth++;
    try {
      return work();
    } finally {
      if (this.#depth === 1) this.#notify();
      this.#depth--;
    }
  }

  add(cell: BaseCell<unknown>): void {
    this.#changed.add(cell);
    if (this.#depth === 0) this.run(() => undefined);
  }

  #notify(): void {
    while (this.#changed.size > 0) {
      const cells = [...this.#changed];
      this.#changed.clear();
      for (const cell of cells) cell.notify();
    }
  }
}

/** Called when the first listener comes. Returns what to do when the last one has left. */
type OnMount = () => (() => void) | undefined;

abstract class BaseCell<T> implements Cell<T> {
  readonly #listeners = new Set<(value: T) => void>();
  #notified: T | undefined;
  #unmount: (() => void) | undefined;

  constructor(
    protected readonly batch: Batch,
    private readonly onMount: OnMount | undefined,
  ) {}

  abstract get(): T;

  get value(): T {
    return this.get();
  }

  listen(run: (value: T) => void): () => void {
    const listener = (value: T) => run(value);
    if (this.#listeners.size === 0) {
      this.#notified = this.get();
      this.#unmount = this.onMount?.();
    }
    this.#listeners.add(listener);
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#unmount?.();
    };
  }

  subscribe(run: (value: T) => void): () => void {
    const end = this.listen(run);
    run(this.get());
    return end;
  }

  notify(): void {
    if (this.#listeners.size === 0) return;
    const value = this.get();
    if (Object.is(value, this.#notified)) return;
    this.#notified = value;
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        // A listener that throws must not keep others from hearing of the change.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}

/** A cell with a value of its own. */
export class SourceCell<T> extends BaseCell<T> {
  #value: T;

  constructor(batch: Batch, value: T, onMount?: OnMount) {
    super(batch, onMount);
    this.#value = value;
  }

  get(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    this.batch.add(this as BaseCell<unknown>);
  }
}

/** A cell whose value follows from other data. The next `get` after `invalidate` computes it. */
export class DerivedCell<T> extends BaseCell<T> {
  #isStale = true;
  #value: T | undefined;

  constructor(
    batch: Batch,
    private readonly compute: () => T,
    onMount?: OnMount,
  ) {
    super(batch, onMount);
  }

  get(): T {
    if (this.#isStale) {
      this.#value = this.compute();
      this.#isStale = false;
    }
    return this.#value as T;
  }

  invalidate(): void {
    this.#isStale = true;
    this.batch.add(this as BaseCell<unknown>);
  }
}
