import type { Services, TransactionContext } from '../../../access/context.ts';
import { HookFailed, proposedPlace } from '../../../access/hooks.ts';
import { callWebhook, WebhookCallFailed } from '../../../adapters/webhook-calls.ts';
import { ChatError } from '../../../base/errors.ts';
import { contentAfterHooks } from '../../../engine/ask-hooks.ts';
import type { BotService, User } from '../../../model/users.ts';
import { defineFeature, defineOutboxKind, type OutboxAttempt, PermanentFailure } from '../../../operation/feature.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import { messageContent } from '../message-content.ts';
import { sharedMessage } from '../message-view.ts';
import { quotation, silentMention } from '../notification-bot.ts';
import { type Destination, postMessage } from '../posting/post-message.ts';
import {
  isHeardIn,
  NoReply,
  replyIn,
  requestOf,
  type Telling,
  triggerWebhooks,
  WEBHOOK_CALL,
  type WebhookCall,
} from './webhook-calls.ts';

/** After 10 minutes, the sender no longer expects a reply. */
const RETRY_FOR_MS = 600_000;
const CLIENT = 'OutgoingWebhookResponse';
/** Characters of the webhook response that the owner of the bot sees. */
const MAX_SHOWN_CHARS = 500;

class NotNow extends Error {}

const webhookCalls = defineOutboxKind<WebhookCall>(WEBHOOK_CALL, {
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

class Failure extends Error {
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
  return found && isHeardIn(found) ? found : undefined;
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
  const place = proposedPlace(
    { channel_id: message.stream_id ?? null, topic: message.subject },
    conversation.participants,
  );
  return contentAfterHooks(services, { kind: 'reply', ...place, content: messageContent(content) }, bot);
}

/**
 * Posts the reply of the bot where the message is now. The bot needs no permission to post there, because a user called
 * it. The same transaction completes the outbox item, so a crash or an expired lease cannot post the reply twice.
 * @throws ChatError if the reply is not a valid message
 */
function reply(services: Services, bot: User, messageId: number, text: string, item: OutboxAttempt): Promise<void> {
  return services.appendAs({ userId: bot.id, client: CLIENT }, async (context) => {
    if ((await context.tx.outbox.done([item.id])) === 1) await answer(context, messageId, text);
  });
}

/**
 * The bot replies that the call failed, and sends the reason to its owner. The same transaction marks the outbox item
 * as failed. If the bot can no longer reply, only the owner gets a message, or no user.
 */
async function reportFailure(
  services: Services,
  telling: Telling,
  item: OutboxAttempt,
  reason: string,
  response: string | undefined,
): Promise<void> {
  const { bot, message } = telling;
  const report = (isAskerTold: boolean) =>
    services.appendAs({ userId: bot.id, client: CLIENT }, async (context) => {
      const failure = { ...item, error: reason, due_ms: null };
      if ((await context.tx.outbox.failed([failure], context.now)) === 0) return;
      if (isAskerTold) await answer(context, message.id, `I could not answer. ${reason}`);
      await tellOwner(context, telling, reason, response);
    });
  try {
    await report(true);
  } catch (error) {
    unlessRefused(error);
    await report(false).catch(unlessRefused);
  }
}

function unlessRefused(error: unknown): void {
  if (!(error instanceof ChatError)) throw error;
}

async function answer(context: TransactionContext<'user'>, messageId: number, text: string): Promise<void> {
  const message = await context.tx.messages.byId(messageId);
  const to = message && (await destinationOf(context, message));
  if (to) await say(context, to, text);
}

async function say(context: TransactionContext<'user'>, to: Destination, text: string): Promise<void> {
  const content = messageContent(text);
  await postMessage(context, to, { sender: context.actor, content, client: CLIENT, readBySender: true });
}

/** Undefined if the bot can no longer reply there. */
async function destinationOf(
  { tx, actor }: TransactionContext<'user'>,
  { channel_id, conversation_id }: PlacedMessage,
): Promise<Destination | undefined> {
  const [conversation] = await tx.conversations.byIds([conversation_id]);
  if (!conversation) return undefined;
  if (channel_id === null) {
    const participants = await tx.users.byIds(conversation.participants);
    return participants.some(({ id }) => id === actor.id) ? { participants } : undefined;
  }
  const place = await tx.channels.withSubscription(channel_id, actor.id);
  if (!place || place.channel.is_archived || !isHeardIn(place)) return undefined;
  return { channel: place.channel, conversation, isFromOutside: place.subscription?.active !== true };
}

/** Sends the failure to the owner of the bot, the only user who can fix it. */
async function tellOwner(
  context: TransactionContext<'user'>,
  { bot, message }: Telling,
  reason: string,
  response: string | undefined,
): Promise<void> {
  const owner = bot.bot_owner_id === null ? undefined : await context.tx.users.byId(bot.bot_owner_id);
  if (!owner?.is_active) return;
  const what = await whatWasSaid(context, message.stream_id, message.subject, message.id);
  const shown = response?.trim()
    ? `\nResponse of the webhook:\n${quotation(response.trim().slice(0, MAX_SHOWN_CHARS))}`
    : '';
  const text = `${what} called your bot ${silentMention(bot)}, but its webhook failed:\n${quotation(reason)}${shown}`;
  await say(context, { participants: [context.actor, owner].sort((a, b) => a.id - b.id) }, text);
}

/** Does not reveal private channels or direct messages to the owner. */
async function whatWasSaid(
  { tx }: TransactionContext<'user'>,
  channelId: number | undefined,
  topic: string,
  messageId: number,
): Promise<string> {
  const channel = channelId === undefined ? undefined : await tx.channels.byId(channelId);
  if (!channel || channel.invite_only) return 'A message';
  if (/[*>]/.test(channel.name) || topic.includes('*')) return `A message in #**${channel.name}**`;
  return `The message #**${channel.name}>${topic}@${messageId}**`;
}

/**
 * Outgoing webhooks. A message that mentions a webhook bot, or is sent to it directly, is posted to the URL of the bot.
 * The response becomes the reply of the bot.
 */
export const outgoingWebhooks = defineFeature({
  operations: [],
  outbox: [webhookCalls],
  consequences: { sent: triggerWebhooks },
});
