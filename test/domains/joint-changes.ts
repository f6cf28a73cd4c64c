import { type Change, UNSEEN } from '../world/calls.ts';
import { sqliteEngine } from '../world/copies.ts';
import type { World } from '../world/world.ts';
import { changes } from './tables.ts';

const CHANGES_PER_WORLD = 10;

/** A change from the `calls.ts` of a feature. */
export interface NamedChange {
  operation: string;
  /** The name for reports. */
  name: string;
  play: Change;
}

export const CHANGES: readonly NamedChange[] = Object.entries(changes).flatMap(([operation, ofOperation]) =>
  Object.entries(ofOperation === UNSEEN ? {} : ofOperation).map(
    ([what, play]): NamedChange => ({
      operation,
      name: `${operation}: ${what}`,
      play,
    }),
  ),
);

/**
 * Groups of changes that share a world. Changes of one operation are in different groups: the events of a later change
 * could hide faults of an earlier one.
 */
export function groupsOfChanges(changes = CHANGES): NamedChange[][] {
  const count = Math.ceil(changes.length / CHANGES_PER_WORLD);
  return Array.from({ length: count }, (_, group) => changes.filter((_change, at) => at % count === group));
}

/** Clients that follow a world by events alone. */
export interface Following {
  /** Applies the events so far. Returns the users whose queues have ended. */
  take(): Promise<string[]>;
  /** Fails if the state of a client differs from a new registration. */
  compare(): Promise<void>;
}

export type Follow = (world: World) => Promise<Following>;

/** A user whose queue was ended by an operation. */
export interface EndedQueue {
  operation: string;
  user: string;
}

/**
 * Plays changes in as few worlds as possible. A change that is refused after the others starts the next world. If a
 * state is wrong, plays each change in its own world, which names the change.
 */
export async function playTogether(group: readonly NamedChange[], follow: Follow): Promise<EndedQueue[]> {
  const ended: EndedQueue[] = [];
  try {
    let left = group;
    while (left.length > 0) left = await playInOneWorld(left, follow, ended);
  } catch (error) {
    if (group.length > 1) await playApart(group, follow);
    throw error;
  }
  return ended;
}

async function playApart(group: readonly NamedChange[], follow: Follow): Promise<void> {
  for (const change of group) {
    try {
      await playInOneWorld([change], follow, []);
    } catch (error) {
      throw new Error(`After ${change.name}: ${(error as Error).message}`, { cause: error });
    }
  }
}

/** Returns the refused changes. */
async function playInOneWorld(
  group: readonly NamedChange[],
  follow: Follow,
  ended: EndedQueue[],
): Promise<NamedChange[]> {
  const world = await sqliteEngine.world();
  try {
    const clients = await follow(world);
    const refused: NamedChange[] = [];
    for (const [at, change] of group.entries()) {
      try {
        await change.play(world);
      } catch (error) {
        if (at === 0) throw error;
        refused.push(change);
      }
      for (const user of await clients.take()) ended.push({ operation: change.operation, user });
    }
    await clients.compare();
    return refused;
  } finally {
    await world.close();
  }
}
