import type { StatePart } from '../../../access/context.ts';
import { defineFeature } from '../../../operation/feature.ts';
import { deleteEventQueue } from './delete.ts';
import { eventLog, expiredQueues } from './event-log.ts';
import { listEvents } from './list.ts';
import { heartbeat } from './poll.ts';
import { register } from './register.ts';

/** Clients cannot start without these keys. Their features are not implemented. */
const missingFeatures = {
  onboarding_steps: async () => ({ onboarding_steps: [] }),
  // This old format cannot represent URL templates, so it is empty.
  realm_filters: async () => ({ realm_filters: [] }),
} satisfies Record<string, StatePart>;

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
