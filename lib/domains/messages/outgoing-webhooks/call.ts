import { callWebhook, WebhookCallFailed } from '../../../adapters/webhook-calls.ts';
import { contentAfterHooks } from '../../../kernel/ask-hooks.ts';
import type { Services } from '../../../kernel/context.ts';
import { ChatError } from '../../../kernel/errors.ts';
import { HookFailed } from '../../../kernel/hooks.ts';
import { defineOutboxKind, type OutboxAttempt, PermanentFailure } from '../../../kernel/outbox.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import type { BotService, User } from '../../../storage/interface/users.ts';
import { messageContent } from '../message-content.ts';
import { sharedMessage } from '../message-view.ts';
import { NoReply, replyIn, requestOf, type Telling } from './payloads.ts';
import { reply, reportFailure } from './replies.ts';
import { isHeardIn, WEBHOOK_CALL, type WebhookCall } from './triggers.ts';

/** After 10 minutes, the sender no longer expects a reply. */
const RETRY_FOR_MS = 600_000;

/** A failure that is retried until `RETRY_FOR_MS` is over. */
class NotNow extends Error {}

/** Calls the webhook of a bot and posts its response as a reply of the bot. */
export const webhookCalls = defineOutboxKind<WebhookCall>(WEBHOOK_CALL, {
  retryForMs: RETRY_FOR_MS,
  async perform(services, call, item) {
    const told = await services.storage.read((tx) => lookUp(tx, services, call));
    // The bot was deactivated, or the message was deleted or moved, since the call was enqueued.
    if (!told) return;
    try {
      await converse(services, told, call, item);
    } catch (error) {
      if (error instanceof NotNow && services.clock.now() < item.created_ms + RETRY_FOR_MS) throw error;
      if (!(error instanceof NotNow || error instanceof Failure)) throw error;
      const answer = error instanceof Failure ? error.answer : undefined;
      await reportFailure(services, told, item, error.message, answer);
      throw new PermanentFailure(error.message);
    }
  },
});

/** A failure that a retry cannot fix. */
class Failure extends Error {
  /** Response body of the webhook. */
  readonly answer: string | undefined;

  constructor(message: string, answer?: string) {
    super(message);
    this.answer = answer;
  }
}

interface WebhookPayload extends Telling {
  conversation: Conversation;
  sender: User;
}

async function lookUp(tx: Transaction, services: Services, { bot_id, message_id, trigger }: WebhookCall) {
  const [placed, bot, organization] = [
    await tx.messages.byId(message_id),
    await tx.users.byId(bot_id),
    await tx.organization.get(),
  ];
  if (!placed || !organization || !bot?.is_active || bot.bot_service === null) return undefined;
  const [conversation] = await tx.conversations.byIds([placed.conversation_id]);
  const sender = await tx.users.byId(placed.sender_id);
  const place = conversation && (await placeOf(tx, bot, placed, conversation));
  if (!place || !sender) return undefined;
  const site_path = new URL(services.options.baseUrl).pathname.replace(/\/+$/, '');
  const shown = { ...organization, site_path };
  const message = sharedMessage(placed, sender, place, shown);
  return { bot, service: bot.bot_service, organization: shown, message, trigger, conversation, sender };
}

/** Undefined if the message was moved to a private channel without the bot. */
async function placeOf(tx: Transaction, bot: User, { channel_id }: PlacedMessage, { participants }: Conversation) {
  if (channel_id === null) return { participants: await tx.users.byIds(participants) };
  const found = await tx.channels.withSubscription(channel_id, bot.id);
  return found && isHeardIn(found) ? { stream_id: channel_id, channel_name: found.channel.name } : undefined;
}

async function converse(
  services: Services,
  told: WebhookPayload,
  call: WebhookCall,
  item: OutboxAttempt,
): Promise<void> {
  const request = requestOf(told);
  if (!request) throw new Failure('Slack-compatible webhooks do not support direct messages.');
  const answer = await post(services, told.service, request);
  const isForLater = answer.status >= 500 || answer.status === 429;
  if (isForLater) throw new NotNow(`The webhook responded with HTTP status ${answer.status}.`);
  if (answer.status < 200 || answer.status >= 300) {
    throw new Failure(`The webhook responded with HTTP status ${answer.status}.`, answer.text);
  }
  try {
    const content = replyIn(answer.text, told.service.interface);
    if (content !== undefined)
      await reply(services, told.bot, call.message_id, await reviewed(services, told, content), item);
  } catch (error) {
    if (error instanceof NoReply || error instanceof ChatError || error instanceof HookFailed) {
      const reason = error instanceof HookFailed ? 'Internal server error.' : error.message;
      throw new Failure(reason, answer.text);
    }
    throw error;
  }
}

async function post(services: Services, { base_url }: BotService, request: { type: string; text: string }) {
  try {
    return await callWebhook(base_url, request, services.options.outgoingWebhooks);
  } catch (error) {
    if (!(error instanceof WebhookCallFailed)) throw error;
    throw error.isFinal ? new Failure(error.message) : new NotNow(error.message);
  }
}

/** Passes the reply to the hooks, like any other message. */
function reviewed(
  services: Services,
  { bot, message, conversation }: WebhookPayload,
  content: string,
): Promise<string> {
  const place =
    message.stream_id === undefined
      ? { type: 'direct' as const, user_ids: conversation.participants }
      : { type: 'channel' as const, channel_id: message.stream_id, topic: message.subject };
  return contentAfterHooks(services, { kind: 'reply', ...place, content: messageContent(content) }, bot);
}
