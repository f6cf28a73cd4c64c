import assert from 'node:assert/strict';
import { type Changes, type PlainCalls, type ScalingCalls, UNSEEN } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'events.list': () => ({ queue_id: 'another', last_event_id: -1 }),
  'events.delete': () => ({ queue_id: 'another' }),
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
