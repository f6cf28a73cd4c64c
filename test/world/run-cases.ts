import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { ChatOptions } from '../../lib/index.ts';
import { catalogue, type Operation } from '../../lib/internal.ts';
import type { OperationCases } from '../domains/cases/kinds.ts';
import { testOn } from '../support/engines.ts';
import type { Case } from './case.ts';
import type { CountedWorld, WorldEngine } from './copies.ts';
import { assertDeclared } from './declared-errors.ts';
import { stateDigest } from './digest.ts';
import { assertEvent, assertLog } from './event-keys.ts';
import type { UserName } from './fixture.ts';
import { assertMatches, type Pattern } from './matching.ts';
import { faultsOf } from './strict-result.ts';
import type { Outcome, Transport } from './transports.ts';
import { UNUSED_MAIL, UnchangedWorlds } from './unchanged-worlds.ts';
import type { World } from './world.ts';

/** A way to call operations, on an engine. */
export interface Shell {
  transport: Transport;
  engine: WorldEngine;
  /** Runs in each new world. It writes nothing. */
  prepare?: (world: World) => void;
}

/** One test for each case. */
export function runCases(operations: readonly OperationCases[], shell: Shell): void {
  const { transport } = shell;
  const engine = { ...shell.engine, world: worldsOf(shell) };
  const played = operations.flatMap(({ operation, cases }) =>
    cases
      .filter(({ only }) => only === undefined || only === transport.name)
      // A report that shows one line shows only the name.
      .map((one) => ({ operation, one, title: `${operation.name}: ${one.name} (${transport.name}, ${engine.name})` })),
  );
  const shares = ({ operation, one }: PlayedCase) =>
    (one.refuses ? !one.refuses.did : operation.effect === 'read') && isPlain(one);
  const [together, alone] = [played.filter(shares), played.filter((one) => !shares(one))];
  describe(`${transport.name} on ${engine.name}`, () => {
    if (together.length > 0) playInOneWorld(together, engine, transport);
    const test = testOn(engine);
    for (const { one, title } of alone) test(title, () => playCase(engine, one, transport));
  });
}

interface PlayedCase {
  operation: Operation;
  one: Case;
  title: string;
}

const worldsOf =
  ({ engine, prepare }: Shell): WorldEngine['world'] =>
  async (options) => {
    const world = await engine.world(options);
    prepare?.(world);
    return world;
  };

/** Calls on the unchanged fixture. */
function isPlain({ given, events, state, development, mail, pushRelay, webPublicChannels }: Case): boolean {
  if (given || events || state) return false;
  return !development && !mail && pushRelay === undefined && webPublicChannels === undefined;
}

/** Reads and refused calls, which do not affect each other. A world ends with the first write, perhaps a count. */
function playInOneWorld(cases: readonly PlayedCase[], engine: WorldEngine, transport: Transport): void {
  const test = testOn(engine);
  describe('calls that share a world', () => {
    const worlds = new UnchangedWorlds(undefined, engine);
    after(() => worlds.close());
    for (const { one, title } of cases) {
      test(title, async () => {
        // Opens its own world. Worlds on PostgreSQL run one after another.
        const unchanged = await fixtureDigest(engine);
        const world = await worlds.next();
        await call(one, transport, world);
        assert.deepEqual(world.failures, [], 'no error was logged');
        if (await worlds.isUnchanged()) return;
        if (one.refuses) assert.deepEqual(await stateDigest(world.storage), unchanged, UNCHANGED);
        await assertLog(world.storage, world.tail);
      });
    }
  });
}

const UNCHANGED = 'a refused call changes nothing and emits no event';

const digests = new Map<string, Promise<unknown>>();

/** The digest of the fixture's state, computed once for each engine. */
function fixtureDigest(engine: WorldEngine): Promise<unknown> {
  const known = digests.get(engine.name);
  if (known) return known;
  const computed = engine.world().then((world) => stateDigest(world.storage).finally(() => world.close()));
  digests.set(engine.name, computed);
  return computed;
}

/** One case in its own world. */
async function playCase(engine: WorldEngine, one: Case, transport: Transport): Promise<void> {
  const wrote = await inWorld(engine, one, (world) => play(one, transport, world));
  if (wrote) await inWorld(engine, one, (world) => playDigested(one, transport, world));
}

async function inWorld<T>(engine: WorldEngine, one: Case, work: (world: CountedWorld) => Promise<T>): Promise<T> {
  const options: Partial<ChatOptions> = {};
  if (one.development) options.development = true;
  if (one.mail) options.mail = UNUSED_MAIL;
  if (one.webPublicChannels === false) options.webPublicChannels = false;
  const world = await engine.world(one.pushRelay === false ? { ...options, pushRelay: undefined } : options);
  try {
    const value = await work(world);
    assert.deepEqual(world.failures, [], 'no error was logged');
    await assertLog(world.storage, world.tail);
    return value;
  } finally {
    await world.close();
  }
}

/** Runs a case. Resolves to whether a refused call wrote. */
async function play(one: Case, transport: Transport, world: CountedWorld): Promise<boolean> {
  await one.given?.(world);
  const expected = one.events?.(world) ?? {};
  const queues = await watch(world, Object.keys(expected) as UserName[]);
  const writes = one.refuses && (await world.writes());
  const outcome = await call(one, transport, world);
  const wrote = writes !== undefined && (await world.writes()) !== writes;
  await checkEvents(world, expected, queues);
  if (one.state) await one.state(world, 'answer' in outcome ? outcome.answer : undefined);
  return wrote;
}

/** Repeats a refused call that wrote, perhaps a count of attempts. Compares the state before and after. */
async function playDigested(one: Case, transport: Transport, world: World): Promise<void> {
  await one.given?.(world);
  await watch(world, Object.keys(one.events?.(world) ?? {}) as UserName[]);
  const before = await stateDigest(world.storage);
  await call(one, transport, world);
  const after = await stateDigest(world.storage);
  if (one.refuses?.did) assert.notDeepEqual(after, before, 'a part of the request was done');
  else assert.deepEqual(after, before, UNCHANGED);
}

/** Makes the call of a case and checks its response or its refusal. */
async function call(one: Case, transport: Transport, world: World): Promise<Outcome> {
  const operation = operationNamed(one.call[0]);
  const [, given = {}] = one.call;
  const params = typeof given === 'function' ? given(world) : given;
  const outcome = await transport.call(world, one.as, operation, params);
  if (one.refuses) {
    checkRefusal(one.refuses, outcome, operation, world);
    return outcome;
  }
  assert.ok('answer' in outcome, `refused: ${JSON.stringify(outcome)}`);
  const { ignored_parameters_unsupported, ...answer } = outcome.answer;
  assert.deepEqual(faultsOf(operation.result, answer), []);
  const pattern = typeof one.returns === 'function' ? one.returns(world) : one.returns;
  const wantsIgnored = Object.hasOwn((pattern ?? {}) as object, 'ignored_parameters_unsupported');
  if (!wantsIgnored) assert.equal(ignored_parameters_unsupported, undefined);
  if (pattern !== undefined) assertMatches(outcome.answer, pattern, 'answer');
  return outcome;
}

export function operationNamed(name: string): Operation {
  const found = (catalogue as readonly Operation[]).find((operation) => operation.name === name);
  assert.ok(found, `there is no operation ${name}`);
  return found;
}

function checkRefusal(
  expected: NonNullable<Case['refuses']>,
  outcome: Outcome,
  operation: Operation,
  world: World,
): void {
  assert.ok('refusal' in outcome, `not refused: ${JSON.stringify(outcome)}`);
  const { refusal } = outcome;
  const data = typeof expected.data === 'function' ? expected.data(world) : (expected.data ?? {});
  const { code, status, message } = refusal;
  const wantedStatus = expected.status ?? 400;
  const fields = (of: object) => Object.keys(of).sort();
  assert.deepEqual(
    { code, status: status ?? wantedStatus, fields: fields(refusal.data) },
    { code: expected.code, status: wantedStatus, fields: fields(data) },
    message,
  );
  assertMatches(refusal.data, data, 'extra fields');
  if (expected.says) assert.match(message, expected.says);
  assert.ok(message.length > 0);
  assertDeclared(operation, refusal);
}

/** Event queues of users, by user name. */
export type Queues = Map<UserName, string>;

export async function watch(world: World, users: readonly UserName[]): Promise<Queues> {
  const queues: Queues = new Map();
  for (const user of users) {
    const { queue_id } = await world.as(user).register({
      fetch_event_types: [],
      include_subscribers: true,
      client_capabilities: {
        notification_settings_null: true,
        linkifier_url_template: true,
        user_settings_object: true,
      },
    });
    queues.set(user, queue_id);
  }
  return queues;
}

/** The events that a queue has received. */
export async function received(world: World, user: UserName, queue_id: string): Promise<Record<string, unknown>[]> {
  const { events } = await world.as(user).events.list({ queue_id, last_event_id: -1, dont_block: true });
  return events;
}

async function checkEvents(
  world: World,
  expected: Partial<Record<UserName, readonly Pattern[]>>,
  queues: Queues,
): Promise<void> {
  for (const [user, queue] of queues) {
    const events = await received(world, user, queue);
    for (const event of events) assertEvent(event as { type: string });
    assertMatches(events, expected[user], `events of ${user}`);
  }
}
