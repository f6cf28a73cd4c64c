import { defineFeature } from '../../../kernel/feature.ts';
import { expiredMessages } from './expired-messages.ts';

/** How long messages are kept: as the organization says, unless a channel says otherwise. */
export const retention = defineFeature({ operations: [], dueWork: [expiredMessages] });
