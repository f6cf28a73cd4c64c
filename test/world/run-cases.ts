import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { type ChatOptions, smtp } from '../../lib/index.ts';
import { catalogue, type Operation } from '../../lib/internal.ts';
import { testOn } from '../support/engines.ts';
import type { Case, CaseTable } from './case.ts';
import type { WorldEngine } from './copies.ts';
import { assertDeclared } from './declared-errors.ts';
import { stateDigest } from './digest.ts';
import { assertEvent, assertLog } from './event-keys.ts';
import type { UserName } from './fixture.ts';
import { assertMatches, type Pattern } from './matching.ts';
import { faultsOf } from './strict-result.ts';
import type { Outcome, Transport } from './transports.ts';
import type { World } from './world.ts';

/** One test for each case of the tables, each in a world of its own, through one transport on one engine. */
export function runCases(tables: readonly CaseTable[], engine: WorldEngine, transport: Transport): void {
  for (const { operation, cases } of tables) {
    const test = testOn(engine);
    describe(`${operation} by ${transport.name} on ${engine.name}`, () => {
      for (const one of cases) {
        if (one.only !== undefined && one.only !== transport.name) continue;
        // Where a report shows one line, the name stands alone.
        test(`${operation}: ${one.name} (${transport.name}, ${engine.name})`, () => playCase(engine, one, transport));
      }
    });
  }
}

/** One case, in a world of its own. */
export function playCase(engine: WorldEngine, one: Case, transport: Transport): Promise<void> {
  return inWorld(engine, one, (world) => play(one, transport, world));
}

/** Nobody listens there, and it is not tried: no worker runs. */
export const UNUSED_MAIL = smtp({ url: 'smtp://127.0.0.1:9', from: 'chat@example.com' });

async function inWorld(engine: WorldEngine, one: Case, work: (world: World) => Promise<void>): Promise<void> {
  const options: Partial<ChatOptions> = {};
  if (one.development) options.development = true;
  if (one.mail) options.mail = UNUSED_MAIL;
  if (one.webPublicChannels === false) options.webPublicChannels = false;
  const world = await engine.world(one.pushRelay === false ? { ...options, pushRelay: undefined } : options);
  try {
    await work(world);
    assert.deepEqual(world.failures, [], 'nothing failed behind the scenes');
    await assertLog(world.storage);
  } finally {
    await world.close();
  }
}

async function play(one: Case, transport: Transport, world: World): Promise<void> {
  await one.given?.(world);
  const operation = operationNamed(one.call[0]);
  const [, given = {}] = one.call;
  const params = typeof given === 'function' ? given(world) : given;
  const expected = one.events?.(world) ?? {};
  const queues = await watch(world, Object.keys(expected) as UserName[]);
  const before = one.refuses ? await stateDigest(world.storage) : undefined;
  const outcome = await transport.call(world, one.as, operation, params);
  if (one.refuses) {
    checkRefusal(one.refuses, outcome, operation, world);
    const after = await stateDigest(world.storage);
    if (one.refuses.did) assert.notDeepEqual(after, before, 'a part was done');
    else assert.deepEqual(after, before, 'a refused call changes nothing and emits no event');
  } else {
    assert.ok('answer' in outcome, `refused: ${JSON.stringify(outcome)}`);
    const { ignored_parameters_unsupported, ...answer } = outcome.answer;
    assert.deepEqual(faultsOf(operation.result, answer), []);
    const pattern = typeof one.returns === 'function' ? one.returns(world) : one.returns;
    const wantsIgnored = Object.hasOwn((pattern ?? {}) as object, 'ignored_parameters_unsupported');
    if (!wantsIgnored) assert.equal(ignored_parameters_unsupported, undefined);
    if (pattern !== undefined) assertMatches(outcome.answer, pattern, 'answer');
  }
  await checkEvents(world, expected, queues);
  if (one.state) await one.state(world, 'answer' in outcome ? outcome.answer : undefined);
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
  const fields = (of: object) => Object.keys(of).sort();
  assert.deepEqual(
    { code, status, fields: fields(refusal.data) },
    { code: expected.code, status: expected.status ?? 400, fields: fields(data) },
    message,
  );
  assertMatches(refusal.data, data, 'extra fields');
  if (expected.says) assert.match(message, expected.says);
  assert.ok(message.length > 0);
  assertDeclared(operation, refusal);
}

/** Event queues of users, by their names. */
export type Queues = Map<UserName, string>;

export async function watch(world: World, users: readonly UserName[]): Promise<Queues> {
  const queues: Queues = new Map();
  for (const user of users) {
    const { queue_id } = await world.as(user).register({
      fetch_event_types: [],
      include_subscribers: true,
      client_capabilities: { notification_settings_null: true, linkifier_url_template: true },
    });
    queues.set(user, queue_id);
  }
  return queues;
}

/** Events a queue has received so far. */
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
