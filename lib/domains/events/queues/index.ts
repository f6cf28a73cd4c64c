import { defineFeature } from '../../../kernel/feature.ts';
import { deleteEventQueue } from './delete.ts';
import { eventLog, expiredQueues } from './event-log.ts';
import { heartbeat } from './events.ts';
import { missingFeatures } from './initial-state.ts';
import { listEvents } from './list.ts';
import { register } from './register.ts';

/**
 * Event queues: a client registers one, with the state that it starts from, and polls it for everything that
 * happens afterwards. Queues are stored, so they outlast the process, and expire when nobody polls them.
 */
export const queues = defineFeature({
  operations: [register, listEvents, deleteEventQueue],
  events: [heartbeat],
  initialState: missingFeatures,
  dueWork: [expiredQueues, eventLog],
});
