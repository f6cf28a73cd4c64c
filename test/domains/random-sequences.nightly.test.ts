import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { CAPABILITIES } from '../../lib/events/client.ts';
import { ChatError } from '../../lib/index.ts';
import { testOn } from '../support/engines.ts';
import { type Change, UNSEEN } from '../world/calls.ts';
import { bothEngines, postgresEngine, sqliteEngine } from '../world/copies.ts';
import { USER_NAMES, type UserName } from '../world/fixture.ts';
import { assertSound } from '../world/sound.ts';
import type { World } from '../world/world.ts';
import { changes } from './tables.ts';
import { Clients, ORGANIZATIONS, type Registration } from './truth.ts';

/** Sequences for each engine. PARLANCE_SEQUENCES sets their number and uses a new seed. */
const GIVEN = Number(process.env.PARLANCE_SEQUENCES ?? 0);
const COUNTS = { [sqliteEngine.name]: GIVEN || 16, [postgresEngine.name]: GIVEN || 4 };
const FIRST_SEED = Number(process.env.PARLANCE_SEED ?? (GIVEN ? Date.now() % 1_000_000 : 1));
const LENGTH = 12;

/** A client with all capabilities, and one without any. */
const REGISTRATIONS: readonly Registration[] = [
  {
    include_subscribers: true,
    slim_presence: true,
    client_capabilities: Object.fromEntries(CAPABILITIES.map((name) => [name, true])),
  },
  { include_subscribers: true },
];

const ALL: [string, Change][] = Object.entries(changes).flatMap(([operation, ofOperation]) =>
  Object.entries(ofOperation === UNSEEN ? {} : ofOperation).map(([what, change]): [string, Change] => [
    `${operation}: ${what}`,
    change,
  ]),
);

const CALLERS = USER_NAMES.filter((name) => name !== 'deactivated' && name !== 'webhook');

/** Pseudorandom numbers from 0 to below 1 (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe('the events of random changes give all clients the right state', () => {
  for (const engine of bothEngines) {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + (COUNTS[engine.name] as number); seed++) {
      testOn(engine)(`random sequence ${seed} (${engine.name})`, async () => {
        const world = await engine.world();
        try {
          await playSequence(world, seed);
          await assertSound(world.storage);
        } finally {
          await world.close();
        }
      });
    }
  }
});

async function playSequence(world: World, seed: number): Promise<void> {
  const next = random(seed);
  const pick = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T;
  const observers = await pick(Object.values(ORGANIZATIONS))(world);
  const clients = new Clients(world);
  await clients.register(observers, REGISTRATIONS);
  const played: string[] = [];
  for (let step = 0; step < LENGTH; step++) {
    const [name, change] = pick(ALL);
    // Half of the time, another user makes some calls of the change and may be refused.
    const other = next() < 0.5 ? pick(CALLERS) : undefined;
    const as = (user: UserName) => world.as(other && next() < 0.7 ? other : user);
    const refused = await refusalOf(change({ ...world, as }));
    played.push(`${name}${other ? ` as ${other}` : ''}${refused ? `, refused: ${refused}` : ''}`);
    try {
      await clients.take();
      await clients.compare();
    } catch (error) {
      const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
      assert.fail(`PARLANCE_SEED=${seed}, after\n${played.join('\n')}\n${said}`);
    }
  }
}

/** The reason why a change was not completed: a refusal, or a missing record. */
async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof ChatError) return error.message;
    throw error;
  }
}
