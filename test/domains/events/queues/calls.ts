import assert from 'node:assert/strict';
import { type Changes, type PlainCalls, type ScalingCalls, UNSEEN } from '../../../world/calls.ts';
import type { World } from '../../../world/world.ts';

const queueOfHamlet = async ({ as }: World) => (await as('hamlet').register({})).queue_id;

export const matrix: PlainCalls = {
  'events.list': async (world) => ({ queue_id: await queueOfHamlet(world), last_event_id: -1, dont_block: true }),
  'events.delete': async (world) => ({ queue_id: await queueOfHamlet(world) }),
};

export const changes: Changes = {
  'events.delete': UNSEEN,
  register: UNSEEN,
  'events.list': UNSEEN,
};

export const statements: ScalingCalls = {
  register: ({ world }) => world.as('hamlet').register({ include_subscribers: true }),
  'events.list': async ({ world, queue_id }) => {
    const { events } = await world.as('hamlet').events.list({ queue_id, last_event_id: -1, dont_block: true });
    assert.ok(events.length > 0);
  },
};
