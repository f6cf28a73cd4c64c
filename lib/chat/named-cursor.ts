import { randomUUID } from 'node:crypto';
import { BadRequest } from '../base/errors.ts';
import type { Engine } from '../engine/engine.ts';
import type { EventCursor } from '../storage/interface/events.ts';

/** Another process may claim a cursor whose holder has not renewed the lease for this time, as after a SIGKILL. */
const LEASE_MS = 6_000;
export const RENEWAL_MS = LEASE_MS / 3;
/** A soft limit: cursors created concurrently may exceed it. */
const MAX_CURSORS = 100;
const MAX_NAME = 100;

/**
 * A named position in the event log. One reader at a time holds it, in any process.
 *
 * free -> held (its reader renews the lease) -> free (released, or the lease has ended)
 */
export class NamedCursor {
  readonly #holder = randomUUID();
  isHeld = false;

  private constructor(
    private readonly engine: Engine,
    readonly name: string,
    /** Position when it was opened. */
    readonly position: number,
  ) {}

  /** Opens the cursor. A new one starts at the end of the log. */
  static async open(engine: Engine, name: string): Promise<NamedCursor> {
    if (name.trim() === '' || name.length > MAX_NAME) {
      throw new BadRequest(`A cursor name must have 1 to ${MAX_NAME} characters.`);
    }
    const position = await engine.storage.write(
      async (tx) => {
        const all = await tx.eventCursors.all();
        const known = all.find((one) => one.name === name);
        if (known) return known.position;
        if (all.length >= MAX_CURSORS) {
          throw new BadRequest(
            `There are already ${MAX_CURSORS} cursors, the largest number allowed. Remove one that you no longer use.`,
          );
        }
        const tail = await tx.events.tail();
        await tx.eventCursors.ensure(name, tail);
        return tail;
      },
      { shared: true, silent: true },
    );
    return new NamedCursor(engine, name, position);
  }

  /** The position that the holder saved last, in any process. */
  async keptPosition(): Promise<number> {
    return (await this.#access()).position;
  }

  async #access(): Promise<EventCursor> {
    const cursor = await this.engine.storage.read((tx) => tx.eventCursors.byName(this.name));
    if (!cursor) throw new BadRequest(`There is no cursor "${this.name}" any more.`);
    return cursor;
  }

  /** Claims the cursor if it is free. Resolves to its position, or undefined if another process holds it. */
  async claim(): Promise<number | undefined> {
    const { storage, clock } = this.engine;
    const seen = await this.#access();
    // Usually another process holds it. Then a read is enough.
    if (seen.holder !== null && seen.lease_until_ms > clock.now()) return undefined;
    const claimed = await storage.write(
      (tx) => tx.eventCursors.claim(this.name, this.#holder, clock.now(), clock.now() + LEASE_MS),
      { shared: true, silent: true },
    );
    this.isHeld = claimed !== undefined;
    return claimed?.position;
  }

  /** Saves the position and renews the lease. `isHeld` becomes false if the lease was lost. */
  async save(position: number): Promise<void> {
    const { storage, clock } = this.engine;
    this.isHeld = await storage.write(
      (tx) => tx.eventCursors.save(this.name, this.#holder, position, clock.now() + LEASE_MS),
      { shared: true, silent: true },
    );
  }

  /** Not a silent write: processes that wait for the cursor must notice it. */
  async release(): Promise<void> {
    this.isHeld = false;
    await this.engine.storage.write((tx) => tx.eventCursors.release(this.name, this.#holder), { shared: true });
    this.engine.hub.wake();
  }
}
