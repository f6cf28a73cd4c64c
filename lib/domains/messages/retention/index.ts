import { defineFeature } from '../../../kernel/feature.ts';
import { expiredMessages } from './expired-messages.ts';

/** Deletes old messages. The retention period of a channel overrides the period of the organization. */
export const retention = defineFeature({ operations: [], dueWork: [expiredMessages] });
