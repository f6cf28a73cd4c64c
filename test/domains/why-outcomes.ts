import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ChatError } from '../../lib/index.ts';
import { catalogue, hasDryRun, type Operation } from '../../lib/internal.ts';
import type { UserName } from '../world/fixture.ts';
import { UnchangedWorlds } from '../world/unchanged-worlds.ts';
import type { World } from '../world/world.ts';
import { plainParams } from './tables.ts';

export const cannotBeTried = (operation: Operation) => operation.effect !== 'read' && !hasDryRun(operation);

export const why = (world: World, about: UserName, operation: string, parameters: object) =>
  world.chat.why(world.users[about], operation as 'register', parameters);

/** For `npm run test:all`: one caller for each kind of access. */
export const FEW_CALLERS = ['owner', 'hamlet', 'guest', 'webhook'] as const;
export const CALLERS = [
  'owner',
  'administrator',
  'moderator',
  'cordelia',
  'hamlet',
  'guest',
  'bot',
  'webhook',
  'deactivated',
] as const;

/** Users whom an administrator asks about. */
export const FEW_STRANGERS = ['hamlet', 'guest', 'deactivated'] as const;
export const STRANGERS = ['administrator', 'moderator', 'cordelia', 'hamlet', 'guest', 'bot', 'deactivated'] as const;

export function testOutcomes(callers: readonly UserName[]): void {
  describe('why has the outcome of the call', () => {
    const worldsOf = new Map(callers.map((caller) => [caller, new UnchangedWorlds()]));
    after(async () => {
      for (const worlds of worldsOf.values()) await worlds.close();
    });

    for (const operation of catalogue as readonly Operation[]) {
      if (cannotBeTried(operation)) continue;
      test(`why of ${operation.name} has the outcome of the call, for callers of every role`, async () => {
        for (const [caller, worlds] of worldsOf) {
          const world = await worlds.next();
          const parameters = await plainParams(operation.name, world, caller);
          const writes = await world.writes();
          const { allowed, refusal, steps } = await why(world, caller, operation.name, parameters);
          assert.equal(await world.writes(), writes, 'it writes nothing');
          const outcome = await outcomeOf(world, caller, operation.name, parameters);
          assert.deepEqual([allowed, refusal?.code ?? 'yes', refusal?.msg], outcome, caller);
          if (operation.access !== 'anyone') assert.equal(steps[0]?.rule, 'account');
          assert.ok(steps.every(({ detail }) => /^[A-Z].*\.$/.test(detail)));
        }
      });
    }
  });
}

async function outcomeOf(world: World, caller: UserName, name: string, parameters: object) {
  const [group, action] = name.split('.') as [string, string | undefined];
  const found = (world.as(caller) as unknown as Record<string, Record<string, unknown>>)[group];
  const method = (action === undefined ? found : found?.[action]) as unknown as (given: object) => Promise<unknown>;
  try {
    await method(parameters);
    return [true, 'yes', undefined];
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    return [false, error.code, error.message];
  }
}

export function testStrangers(strangers: readonly UserName[]): void {
  describe('why of another user', () => {
    const worldsOf = new Map(strangers.map((about) => [about, new UnchangedWorlds()]));
    after(async () => {
      for (const worlds of worldsOf.values()) await worlds.close();
    });

    for (const operation of catalogue as readonly Operation[]) {
      if (cannotBeTried(operation)) continue;
      test(`why of another user has the outcome of ${operation.name}, or is undecided`, async () => {
        for (const [about, worlds] of worldsOf) {
          const world = await worlds.next();
          const parameters = await plainParams(operation.name, world, about);
          const whole = await why(world, about, operation.name, parameters);
          const asked = await world.as('owner').why(world.users[about], operation.name as 'register', parameters);
          if (asked.decision === 'undecided') continue;
          assert.deepEqual([asked.decision, asked.refusal], [whole.decision, whole.refusal], about);
          if (asked.decision === 'refused') assert.deepEqual(asked.steps, whole.steps);
        }
      });
    }
  });
}
