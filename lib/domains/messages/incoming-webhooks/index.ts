import { defineFeature } from '../../../operation/feature.ts';
import { receiveWebhook } from './receive.ts';

/**
 * Incoming webhooks: other programs post in their own format, and a bot sends it as a message. A format is a function
 * from the body to the message, in a file of its own. `receive.ts` has the list of them.
 */
export const incomingWebhooks = defineFeature({ operations: [receiveWebhook] });
