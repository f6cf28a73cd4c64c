import { defineFeature } from '../../../kernel/feature.ts';
import { webhookCalls } from './call.ts';
import { triggerWebhooks } from './webhook-calls.ts';

/**
 * Outgoing webhooks. A message that mentions a webhook bot, or is sent to it directly, is posted to the URL of the bot.
 * The response becomes the reply of the bot.
 */
export const outgoingWebhooks = defineFeature({
  operations: [],
  outbox: [webhookCalls],
  consequences: { sent: triggerWebhooks },
});
