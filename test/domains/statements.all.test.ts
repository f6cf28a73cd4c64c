import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { testOn } from '../support/engines.ts';
import type { ScalingCall } from '../world/calls.ts';
import { bothEngines, type sqliteEngine } from '../world/copies.ts';
import { populate } from '../world/crowd.ts';
import { statements } from './tables.ts';

const CALLS: readonly [name: string, call: ScalingCall][] = Object.entries(statements).flatMap(([operation, calls]) =>
  typeof calls === 'function'
    ? [[operation, calls]]
    : Object.entries(calls).map(([what, call]): [string, ScalingCall] => [`${operation} ${what}`, call]),
);

/**
 * Additional statements of operations that measure large data before reading it, or read it in parts. Their number is
 * constant.
 */
const OF_LARGE_ANSWERS: Readonly<Record<string, number>> = {
  'messages.list of everything': 1,
  'messages.list of a channel': 1,
  // Hundreds of events, a hundred at a time.
  'events.list': 3,
};

for (const engine of bothEngines) {
  const test = testOn(engine);
  describe(`the number of statements does not grow with the data, on ${engine.name}`, () => {
    let counting: Promise<[few: Map<string, number>, many: Map<string, number>]> | undefined;
    const count = async (): Promise<[Map<string, number>, Map<string, number>]> => [
      await countStatements(engine, 3),
      await countStatements(engine, 30),
    ];
    for (const [name] of CALLS) {
      test(`${name} takes no more statements with much data than with little`, async () => {
        counting ??= count();
        const [few, many] = await counting;
        assert.ok((few.get(name) as number) > 0);
        const more = (many.get(name) as number) - (few.get(name) as number);
        const allowed = OF_LARGE_ANSWERS[name] ?? 0;
        assert.ok(more <= allowed, `${more} statements more, where ${allowed} are allowed`);
      });
    }
  });
}

/** Number of statements of each call in a world with `size` records of each kind. */
async function countStatements(engine: typeof sqliteEngine, size: number): Promise<Map<string, number>> {
  const world = await engine.world();
  try {
    const crowd = await populate(world, size);
    // The first call fills the caches.
    await world.as('hamlet').users.list();
    const storage = world.storage as unknown as { statements: number };
    const counts = new Map<string, number>();
    for (const [name, call] of CALLS) {
      const before = storage.statements;
      await call(crowd);
      counts.set(name, storage.statements - before);
    }
    return counts;
  } finally {
    await world.close();
  }
}
