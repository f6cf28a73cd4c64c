import { type ChatOptions, smtp } from '../../lib/index.ts';
import type { Operation } from '../../lib/internal.ts';
import { type CountedWorld, sqliteEngine, type WorldEngine } from './copies.ts';

/** No server listens there, and no request is sent: no worker runs. */
export const UNUSED_MAIL = smtp({ url: 'smtp://127.0.0.1:9', from: 'chat@example.com' });

/** Options that a plain call of the operation needs. */
export function optionsFor(operation: Operation): Partial<ChatOptions> {
  return {
    development: operation.name.startsWith('dev'),
    ...(operation.limitedBy?.rule.endsWith('email') ? { mail: UNUSED_MAIL } : {}),
  };
}

/** Prepared worlds, one after another. Calls that write nothing share one. */
export class UnchangedWorlds {
  readonly #prepare: (world: CountedWorld) => Promise<unknown>;
  readonly #engine: WorldEngine;
  #world: CountedWorld | undefined;
  #options = '';
  #writes = 0;

  constructor(prepare: (world: CountedWorld) => Promise<unknown> = async () => undefined, engine = sqliteEngine) {
    this.#prepare = prepare;
    this.#engine = engine;
  }

  async next(options: Partial<ChatOptions> = {}): Promise<CountedWorld> {
    const wanted = `development: ${options.development}, mail: ${options.mail !== undefined}`;
    if (this.#world && this.#options === wanted && (await this.isUnchanged())) return this.#world;
    await this.close();
    this.#world = await this.#engine.world(options);
    await this.#prepare(this.#world);
    this.#options = wanted;
    this.#writes = await this.#world.writes();
    return this.#world;
  }

  /** Whether the last world has no write. */
  async isUnchanged(): Promise<boolean> {
    return (await this.#world?.writes()) === this.#writes;
  }

  async close(): Promise<void> {
    await this.#world?.close();
    this.#world = undefined;
  }
}
