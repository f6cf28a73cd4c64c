import { HookFailed, proposedPlace } from '../../../adapters/hooks.ts';
import { OutgoingCallFailed } from '../../../adapters/outgoing-calls.ts';
import { callWebhook } from '../../../adapters/webhook-calls.ts';
import { ChatError } from '../../../base/errors.ts';
import { contentAfterHooks } from '../../../engine/ask-hooks.ts';
import type { BotService, User } from '../../../model/users.ts';
import { defineFeature, defineOutboxKind, type OutboxAttempt, PermanentFailure } from '../../../operation/feature.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import type { Services, TransactionContext } from '../../../viewer/context.ts';
import { messageContent } from '../message-content.ts';
import { sharedMessage } from '../message-view.ts';
import { quotation, silentMention } from '../notification-bot.ts';
import { type Destination, postMessage } from '../posting/post-message.ts';
import { isHeardIn, replyIn, requestOf, triggerWebhooks, WEBHOOK_CALL, type WebhookCall } from './webhook-calls.ts';

/** After 10 minutes, the sender no longer expects a reply. */
const RETRY_FOR_MS = 600_000;
const CLIENT = 'OutgoingWebhookResponse';
/** Characters of the webhook response that the owner of the bot sees. */
const MAX_SHOWN_CHARS = 500;

/** A failed call. Retried only if `isForLater`. */
class Failure extends Error {
  constructor(
    message: string,
    readonly details: { isForLater?: boolean; answer?: string } = {},
  ) {
    super(message);
  }
}

const webhookCalls = defineOutboxKind<WebhookCall>(WEBHOOK_CALL, {
  retryForMs: RETRY_FOR_MS,
  async perform(services, call, item) {
    if (call.is_answered) return;
    const found = await services.storage.read((tx) => lookUp(tx, services, call));
    // The bot was deactivated, or the message was deleted or moved, since the call was enqueued.
    if (!found) return;
    try {
      await converse(services, found, call, item);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.details.isForLater && services.clock.now() < item.created_ms + RETRY_FOR_MS) throw error;
      await reportFailure(services, found, item, error);
      throw new PermanentFailure(error.message);
    }
  },
});

type FoundCall = NonNullable<Awaited<ReturnType<typeof lookUp>>>;

async function lookUp(tx: Transaction, services: Services, { bot_id, message_id, trigger }: WebhookCall) {
  const placed = await tx.messages.byId(message_id);
  const bot = await tx.users.byId(bot_id);
  const organization = await tx.organization.get();
  if (!placed || !organization || !bot?.is_active || bot.bot_service === null) return undefined;
  const [conversation] = await tx.conversations.byIds([placed.conversation_id]);
  const sender = await tx.users.byId(placed.sender_id);
  const place = conversation && (await placeOf(tx, bot, placed, conversation));
  if (!place || !sender) return undefined;
  const site_path = new URL(services.options.baseUrl).pathname.replace(/\/+$/, '');
  const shown = { ...organization, site_path };
  const submessages = await tx.submessages.of([message_id]);
  const message = { ...sharedMessage(placed, sender, place, shown), submessages };
  return { bot, service: bot.bot_service, organization: shown, message, trigger, conversation };
}

/** Undefined if the message was moved to a private channel without the bot. */
async function placeOf(tx: Transaction, bot: User, { channel_id }: PlacedMessage, { participants }: Conversation) {
  if (channel_id === null) return { participants: await tx.users.byIds(participants) };
  const found = await tx.channels.withSubscription(channel_id, bot.id);
  return found && isHeardIn(found) ? found : undefined;
}

async function converse(services: Services, found: FoundCall, given: WebhookCall, item: OutboxAttempt): Promise<void> {
  const { bot, service, message, conversation } = found;
  const request = requestOf(found);
  if (!request) throw new Failure('Slack-compatible webhooks do not support direct messages.');
  const { status, text: answer } = await call(services, service, request);
  if (status < 200 || status >= 300) {
    const isForLater = status >= 500 || status === 429;
    throw new Failure(`The webhook responded with HTTP status ${status}.`, isForLater ? { isForLater } : { answer });
  }
  try {
    const content = replyIn(answer, service.interface);
    if (content === undefined) return;
    const place = { channel_id: message.stream_id ?? null, topic: message.subject };
    const proposed = {
      ...proposedPlace(place, conversation.participants),
      content: messageContent(content, { truncate: true }),
    };
    const text = await contentAfterHooks(services, { kind: 'reply', ...proposed }, bot);
    await services.appendAs({ userId: bot.id, client: CLIENT }, async (context) => {
      // Marks the outbox item with the reply, so a crash or an expired lease cannot post the reply twice. The item stays:
      // another item that is added with the reply could get its ID.
      if (await context.tx.outbox.advance(item, { ...given, is_answered: true }))
        await reply(context, message.id, text);
    });
  } catch (error) {
    if (error instanceof HookFailed) throw new Failure('Internal server error.', { answer });
    if (error instanceof ChatError) throw new Failure(error.message, { answer });
    throw error;
  }
}

async function call(services: Services, { base_url }: BotService, request: { type: string; text: string }) {
  try {
    return await callWebhook(base_url, request, services.options.outgoingWebhooks);
  } catch (error) {
    if (!(error instanceof OutgoingCallFailed)) throw error;
    throw new Failure(error.message, { isForLater: !error.isFinal });
  }
}

/**
 * The bot replies that the call failed, and sends the reason to its owner. The same transaction marks the outbox item
 * as failed. If the bot can no longer reply, only the owner gets a message, or no user.
 */
async function reportFailure(services: Services, found: FoundCall, item: OutboxAttempt, failure: Failure) {
  const { bot, message } = found;
  const report = (options: { toSender: boolean }) =>
    services.appendAs({ userId: bot.id, client: CLIENT }, async (context) => {
      const failed = { ...item, error: failure.message, due_ms: null };
      if ((await context.tx.outbox.failed([failed], context.now)).length === 0) return;
      if (options.toSender) await reply(context, message.id, `I could not answer. ${failure.message}`);
      await notifyOwner(context, found, failure);
    });
  try {
    await report({ toSender: true });
  } catch (error) {
    unlessRefused(error);
    await report({ toSender: false }).catch(unlessRefused);
  }
}

function unlessRefused(error: unknown): void {
  if (!(error instanceof ChatError)) throw error;
}

/**
 * Posts where the message is now, unless the bot can no longer reply there. The bot needs no permission to post,
 * because a user called it.
 */
async function reply(context: TransactionContext<'user'>, messageId: number, text: string): Promise<void> {
  const { tx, actor } = context;
  const message = await tx.messages.byId(messageId);
  const [conversation] = message ? await tx.conversations.byIds([message.conversation_id]) : [];
  if (!conversation) return;
  if (conversation.channel_id === null) {
    const participants = await tx.users.byIds(conversation.participants);
    if (participants.some(({ id }) => id === actor.id)) await say(context, { participants }, text);
    return;
  }
  const place = await tx.channels.withSubscription(conversation.channel_id, actor.id);
  if (!place || place.channel.is_archived || !isHeardIn(place)) return;
  const isFromOutside = place.subscription?.active !== true;
  await say(context, { channel: place.channel, conversation, isFromOutside }, text);
}

async function say(context: TransactionContext<'user'>, to: Destination, text: string): Promise<void> {
  const content = messageContent(text, { truncate: true });
  await postMessage(context, to, { sender: context.actor, content, client: CLIENT, readBySender: true });
}

/** Sends the failure to the owner of the bot, the only user who can fix it. */
async function notifyOwner(context: TransactionContext<'user'>, { bot, message }: FoundCall, failure: Failure) {
  const owner = bot.bot_owner_id === null ? undefined : await context.tx.users.byId(bot.bot_owner_id);
  if (!owner?.is_active) return;
  const answer = failure.details.answer?.trim();
  const shown = answer ? `\nResponse of the webhook:\n${quotation(answer.slice(0, MAX_SHOWN_CHARS))}` : '';
  const text = `${await namedMessage(context, message)} called your bot ${silentMention(bot)}, but its webhook failed:\n${quotation(failure.message)}${shown}`;
  await say(context, { participants: [context.actor, owner].sort((a, b) => a.id - b.id) }, text);
}

/** Does not reveal private channels or direct messages to the owner. */
async function namedMessage({ tx }: TransactionContext<'user'>, { stream_id, subject, id }: FoundCall['message']) {
  const channel = stream_id === undefined ? undefined : await tx.channels.byId(stream_id);
  if (!channel || channel.invite_only) return 'A message';
  if (/[*>]/.test(channel.name) || subject.includes('*')) return `A message in #**${channel.name}**`;
  return `The message #**${channel.name}>${subject}@${id}**`;
}

/**
 * Outgoing webhooks. A message that mentions a webhook bot, or is sent to it directly, is posted to the URL of the bot.
 * The response becomes the reply of the bot.
 */
export const outgoingWebhooks = defineFeature({
  operations: [],
  outbox: [webhookCalls],
  consequences: { sent: { of: 'addressed', react: triggerWebhooks } },
});
