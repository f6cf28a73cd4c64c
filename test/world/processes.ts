import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { ChatOptions } from '../../lib/index.ts';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { holdUntil } from '../contract/fixtures.ts';
import { testOn } from '../support/engines.ts';
import { bothEngines, type WorldEngine } from './copies.ts';
import { openWorld, type World } from './world.ts';

type Options = Partial<ChatOptions>;

/**
 * Two chats over one copy of the fixture, as in two processes, each with its own options. They close at the end of the
 * test.
 */
export async function twoProcesses(
  t: TestContext,
  engine: WorldEngine,
  options: readonly [Options?, Options?] = [],
): Promise<[here: World, there: World]> {
  const place = await engine.place();
  const opened: World[] = [];
  t.after(async () => {
    for (const world of opened.toReversed()) await world.close();
    await place.remove();
  });
  const open = async (own?: Options) => {
    const world = await openWorld(place.fixture, place.storage(), own);
    opened.push(world);
    return world;
  };
  return [await open(options[0]), await open(options[1])];
}

/** A test in two processes on every engine. It fails if an error is logged. */
export function testInTwoProcesses(name: string, work: (here: World, there: World) => Promise<void>): void {
  for (const engine of bothEngines) {
    testOn(engine)(`${name} (${engine.name})`, async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      await work(here, there);
      assert.deepEqual([...here.failures, ...there.failures], [], 'no error was logged');
    });
  }
}

/** Runs a callback between the first transaction that writes and the next one. */
export function afterFirstWrite({ storage }: World, then: () => Promise<unknown>): void {
  const { write } = storage;
  storage.write = async (...given) => {
    const value = await write.apply(storage, given);
    storage.write = write;
    await then();
    return value as never;
  };
}

/** Runs a callback before a later transaction of this kind. The default is the next one. */
export function beforeTransaction(
  { storage }: Pick<World, 'storage'>,
  kind: 'read' | 'write',
  then: () => Promise<unknown>,
  { skipping = 0 } = {},
): void {
  const original = storage[kind] as (...given: unknown[]) => Promise<unknown>;
  let left = skipping;
  const waiting = async (...given: unknown[]) => {
    if (left-- > 0) return original.apply(storage, given);
    storage[kind] = original as never;
    await then();
    return original.apply(storage, given);
  };
  storage[kind] = waiting as never;
}

/**
 * Makes a call while the first transaction that writes is still open with its work done. Returns the result. On SQLite,
 * the transaction commits at once: the driver waits for a lock and blocks this process.
 */
export function beforeFirstCommit<T>({ storage }: World, engine: WorldEngine, ask: () => Promise<T>): Promise<T> {
  const { write } = storage;
  return new Promise((resolve, reject) => {
    storage.write = (job, options) => {
      storage.write = write;
      const holding = async (tx: Transaction) => {
        const value = await job(tx);
        let isAsked = engine.name !== 'PostgreSQL';
        ask().then(resolve, reject);
        setTimeout(() => {
          isAsked = true;
        }, 50);
        await holdUntil(tx, () => isAsked);
        return value as never;
      };
      return write.call(storage, holding, options) as never;
    };
  });
}
