import { defineFeature } from '../../../kernel/feature.ts';
import { webhookCalls } from './call.ts';

/**
 * Outgoing web hooks: a message that mentions such a bot, or is sent to it directly, is posted to an address of its
 * owner's, and what is answered there is what the bot says. Bots are made among the accounts.
 */
export const outgoingWebhooks = defineFeature({ operations: [], outbox: [webhookCalls] });
