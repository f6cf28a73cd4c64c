import { defineFeature } from '../../../operation/feature.ts';
import { addSubmessage, submessageAdded } from './add-submessage.ts';

/**
 * Polls, to-do lists and other widgets. The first submessage of a message is the widget: the server adds it to the new
 * message. Each further submessage is a change, for example a vote. Clients apply the changes in order.
 */
export const submessages = defineFeature({ operations: [addSubmessage], events: [submessageAdded] });
