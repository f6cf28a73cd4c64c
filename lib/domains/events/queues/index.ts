import { defineFeature } from '../../../kernel/feature.ts';
import { deleteEventQueue } from './delete.ts';
import { eventLog, expiredQueues } from './event-log.ts';
import { heartbeat } from './events.ts';
import { missingFeatures } from './initial-state.ts';
import { listEvents } from './list.ts';
import { register } from './register.ts';

/**
 * Event queues. A client registers a queue, gets the initial state, and polls the queue for changes. Queues are stored,
 * so they survive a restart. They expire if they are not polled.
 */
export const queues = defineFeature({
  operations: [register, listEvents, deleteEventQueue],
  events: [heartbeat],
  initialState: missingFeatures,
  dueWork: [expiredQueues, eventLog],
});
