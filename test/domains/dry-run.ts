import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { catalogue, hasDryRun, type Operation } from '../../lib/internal.ts';
import { UNSEEN } from '../world/calls.ts';
import { postgresEngine, sqliteEngine, type WorldEngine } from '../world/copies.ts';
import type { UserName } from '../world/fixture.ts';
import { UnchangedWorlds } from '../world/unchanged-worlds.ts';
import { changes, plainParams } from './tables.ts';
import { tryingFirst } from './trying.ts';

const changing = (catalogue as readonly Operation[]).filter(hasDryRun).map(({ name }) => name);

interface Setting {
  engine: WorldEngine;
  /** Callers of the plain calls. The matrix has the outcomes. */
  callers: readonly UserName[];
  /** PostgreSQL sequences do not reuse an ID after a rollback. */
  expectation: { sameIds: boolean };
  changes: typeof changes;
}

/** The first change of each operation. */
const FIRST_CHANGES = Object.fromEntries(
  Object.entries(changes).map(([operation, ofOperation]) => [
    operation,
    ofOperation === UNSEEN ? UNSEEN : Object.fromEntries(Object.entries(ofOperation).slice(0, 1)),
  ]),
);

const settings = (isWhole: boolean): readonly Setting[] => [
  {
    engine: sqliteEngine,
    callers: isWhole ? ['owner', 'hamlet', 'guest', 'bot'] : ['owner', 'hamlet'],
    expectation: { sameIds: true },
    changes: isWhole ? changes : FIRST_CHANGES,
  },
  {
    engine: postgresEngine,
    callers: isWhole ? ['owner', 'hamlet'] : ['owner'],
    expectation: { sameIds: false },
    changes: {},
  },
];

/** @param options.isWhole all changes, and more callers */
export function predictedByDryRuns({ isWhole }: { isWhole: boolean }): void {
  for (const { engine, callers, expectation, changes } of settings(isWhole)) {
    describe(`a dry run on ${engine.name}`, { skip: engine.skip ?? false }, () => {
      const tried = new Set<string>();
      // Refused calls share one.
      const worlds = new UnchangedWorlds(undefined, engine);

      for (const name of changing) {
        test(`a dry run of ${name} changes nothing and predicts the call after it`, async () => {
          for (const caller of callers) {
            const world = await worlds.next();
            const trying = tryingFirst(world, expectation, (operation) => tried.add(operation));
            const parameters = await plainParams(name, world, caller);
            await callOf(trying.as(caller), name)(parameters).catch(onlyRefused);
          }
        });
      }

      for (const [operation, ofOperation] of Object.entries(changes)) {
        for (const [what, change] of Object.entries(ofOperation === UNSEEN ? {} : ofOperation)) {
          test(`a dry run before ${operation} predicts the call: ${what}`, async () => {
            const world = await engine.world();
            try {
              await change(tryingFirst(world, expectation, (operation) => tried.add(operation)));
            } finally {
              await world.close();
            }
          });
        }
      }

      after(() => worlds.close());
      after(() => assert.deepEqual([...tried].filter((name) => changing.includes(name)).sort(), [...changing].sort()));
    });
  }
}

function callOf(session: object, name: string): (parameters: object) => Promise<unknown> {
  const [group, action] = name.split('.') as [string, string | undefined];
  const found = (session as Record<string, Record<string, unknown>>)[group];
  return (action === undefined ? found : found?.[action]) as unknown as (parameters: object) => Promise<unknown>;
}

/** `tryingFirst` has already compared refusals. */
function onlyRefused(error: unknown): void {
  if (!(error instanceof Error) || !('code' in error)) throw error;
}
