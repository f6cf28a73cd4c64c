import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { ChatError } from '../../../lib/index.ts';
import { testOn } from '../../support/engines.ts';
import { featureEngines } from '../../world/copies.ts';
import { assertEvent, assertLog } from '../../world/event-keys.ts';
import type { UserName } from '../../world/fixture.ts';
import type { World } from '../../world/world.ts';

/** Runs a test on each engine, each with its own world. */
export function inWorlds(name: string, work: (world: World, t: TestContext) => Promise<void>): void {
  for (const engine of featureEngines) {
    testOn(engine)(`${name} (${engine.name})`, async (t) => {
      const world = await engine.world();
      try {
        await work(world, t);
        assert.deepEqual(world.failures, [], 'no error is logged');
        await assertLog(world.storage, world.tail);
      } finally {
        await world.close();
      }
    });
  }
}

/** The code and extra fields of a refusal. */
export async function refusal(call: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    assert.ok(error.message.length > 0);
    return { code: error.code, status: error.status, ...error.data };
  }
  return assert.fail('the call was not refused');
}

export const BAD_REQUEST = { code: 'BAD_REQUEST', status: 400 };

// biome-ignore lint/suspicious/noExplicitAny: events of every type
export type AnyEvent = any;

/** Registers queues and returns a function that reads their events, without IDs. */
export async function listening(
  world: World,
  users: readonly UserName[],
  client_capabilities: Record<string, boolean> = { bulk_message_deletion: true, empty_topic_name: true },
): Promise<(user: UserName) => Promise<AnyEvent[]>> {
  const queues = new Map<UserName, string>();
  for (const user of users) {
    const { queue_id } = await world.as(user).register({ fetch_event_types: [], client_capabilities });
    queues.set(user, queue_id as string);
  }
  return async (user) => {
    const queue_id = queues.get(user) as string;
    const { events } = await world.as(user).events.list({ queue_id, last_event_id: -1, dont_block: true });
    for (const event of events) assertEvent(event);
    return events.map(({ id: _, ...event }) => event);
  };
}

/** Sends a message to a channel and returns its ID. */
export async function say(
  world: World,
  user: UserName,
  stream: number,
  topic: string,
  content = 'word',
): Promise<number> {
  return (await world.as(user).messages.send({ type: 'channel', to: stream, topic, content })).id;
}

export async function message(world: World, user: UserName, message_id: number, raw = false) {
  const found = await world.as(user).messages.get({ message_id, apply_markdown: !raw, allow_empty_topic_name: true });
  return found.message;
}
