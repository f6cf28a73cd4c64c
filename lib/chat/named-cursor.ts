import { randomUUID } from 'node:crypto';
import type { Engine } from '../kernel/engine.ts';
import { BadRequest } from '../kernel/errors.ts';
import type { EventCursor } from '../storage/interface/event-cursors.ts';

/** Whoever holds a cursor and says nothing for so long has died: another process goes on. */
const LEASE_MS = 60_000;
/** How often it says so. */
export const RENEWAL_MS = LEASE_MS / 3;
/** For size alone: some made at the same moment may pass it. */
const MAX_CURSORS = 100;
const MAX_NAME = 100;

/**
 * A place in the log that is kept under a name, for one reader at a time: whichever holds it, in whichever process.
 *
 * free -> held (its reader renews the lease) -> free (released, or the lease has ended)
 */
export class NamedCursor {
  readonly #holder = randomUUID();
  isHeld = false;

  private constructor(
    private readonly engine: Engine,
    readonly name: string,
    /** As it was opened. */
    readonly position: number,
  ) {}

  /** Makes it at the end of the log, unless it is there. */
  static async open(engine: Engine, name: string): Promise<NamedCursor> {
    if (name.trim() === '' || name.length > MAX_NAME) {
      throw new BadRequest(`The name of a cursor has between 1 and ${MAX_NAME} characters.`);
    }
    const position = await engine.storage.write(
      async (tx) => {
        const all = await tx.eventCursors.all();
        const known = all.find((one) => one.name === name);
        if (known) return known.position;
        if (all.length >= MAX_CURSORS) {
          throw new BadRequest(`There are at most ${MAX_CURSORS} cursors; remove one that nobody needs.`);
        }
        const tail = await tx.events.tail();
        await tx.eventCursors.ensure(name, tail);
        return tail;
      },
      { shared: true, silent: true },
    );
    return new NamedCursor(engine, name, position);
  }

  /** As its holder noted it last, in whichever process. */
  async keptPosition(): Promise<number> {
    return (await this.#access()).position;
  }

  async #access(): Promise<EventCursor> {
    const cursor = await this.engine.storage.read((tx) => tx.eventCursors.byName(this.name));
    if (!cursor) throw new BadRequest(`There is no cursor "${this.name}" any more.`);
    return cursor;
  }

  /** Takes it if it is free, and answers with its place. */
  async claim(): Promise<number | undefined> {
    const { storage, clock } = this.engine;
    const seen = await this.#access();
    // Most often somebody else holds it, and there is nothing to write.
    if (seen.holder !== null && seen.lease_until_ms > clock.now()) return undefined;
    const claimed = await storage.write(
      (tx) => tx.eventCursors.claim(this.name, this.#holder, clock.now(), clock.now() + LEASE_MS),
      { shared: true, silent: true },
    );
    this.isHeld = claimed !== undefined;
    return claimed?.position;
  }

  /** Notes the place and stays the holder, if it still is. */
  async save(position: number): Promise<void> {
    const { storage, clock } = this.engine;
    this.isHeld = await storage.write(
      (tx) => tx.eventCursors.save(this.name, this.#holder, position, clock.now() + LEASE_MS),
      { shared: true, silent: true },
    );
  }

  /** Not silently: whoever waits for it in another process is told. */
  async release(): Promise<void> {
    this.isHeld = false;
    await this.engine.storage.write((tx) => tx.eventCursors.release(this.name, this.#holder), { shared: true });
    this.engine.hub.wake();
  }
}
