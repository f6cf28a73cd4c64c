import { defineFeature } from '../../../kernel/feature.ts';
import { deleteEventQueue } from './delete.ts';
import { eventLog } from './event-log.ts';
import { heartbeat } from './events.ts';
import { missingFeatures } from './initial-state.ts';
import { listEvents } from './list.ts';
import { register } from './register.ts';

/** Event queues: the state a client starts from, and everything that happens to it afterwards. */
export const queues = defineFeature({
  operations: [register, listEvents, deleteEventQueue],
  events: [heartbeat],
  initialState: missingFeatures,
  dueWork: [eventLog],
});
