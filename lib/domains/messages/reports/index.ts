import { defineFeature } from '../../../operation/feature.ts';
import { listReports } from './list.ts';
import { reportMessage } from './report.ts';
import { resolveReport } from './resolve.ts';

/**
 * Reports of messages, for the moderators of the organization. A report stores the text of the message and shows
 * moderators nothing else of its conversation. No event announces it: the notification bot posts it in the channel of
 * the moderators, which also reaches their phones.
 */
export const reports = defineFeature({ operations: [reportMessage, listReports, resolveReport] });
