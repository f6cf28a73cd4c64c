/** The parts of browsers that are used; Node has them as well. */
interface Locks {
  /** `ifAvailable`: runs without a lock if another one has it. */
  request(
    name: string,
    options: { signal?: AbortSignal; ifAvailable?: boolean },
    run: (lock: object | null) => unknown,
  ): Promise<void>;
}

/** Undefined in old browsers, and in pages without HTTPS. */
export const browserLocks = () => (globalThis as { navigator?: { locks?: Locks } }).navigator?.locks;
