import { defineFeature } from '../../../operation/feature.ts';
import { reportMessage } from './report.ts';

/** Reports of messages, for the moderators of the organization. */
export const reports = defineFeature({ operations: [reportMessage] });
