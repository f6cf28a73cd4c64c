import type { Services, TransactionContext } from '../../../kernel/context.ts';
import { ChatError } from '../../../kernel/errors.ts';
import type { OutboxAttempt } from '../../../kernel/outbox.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { User } from '../../../storage/interface/users.ts';
import { messageContent } from '../message-content.ts';
import { silentMention } from '../notification-bot.ts';
import { type Destination, postMessage } from '../posting/post-message.ts';
import { quotation } from '../quotation.ts';
import type { Telling } from './payloads.ts';
import { isHeardIn } from './triggers.ts';

const CLIENT = 'OutgoingWebhookResponse';
/** Characters of the webhook response that the owner of the bot sees. */
const MAX_SHOWN_CHARS = 500;

/**
 * Posts the reply of the bot where the message is now. The bot needs no permission to post there, because a user called
 * it. The same transaction completes the outbox item, so a crash or an expired lease cannot post the reply twice.
 * @throws ChatError if the reply is not a valid message
 */
export function reply(
  services: Services,
  bot: User,
  messageId: number,
  text: string,
  item: OutboxAttempt,
): Promise<void> {
  return services.appendAs({ userId: bot.id, client: CLIENT }, async (context) => {
    if ((await context.tx.outbox.done([item.id])) === 1) await say(context, messageId, text);
  });
}

/**
 * The bot replies that the call failed, and sends the reason to its owner. The same transaction marks the outbox item
 * as failed. If the bot can no longer reply, only the owner gets a message, or no user.
 */
export async function reportFailure(
  services: Services,
  telling: Telling,
  item: OutboxAttempt,
  reason: string,
  answer: string | undefined,
): Promise<void> {
  const { bot, message } = telling;
  const report = (isAskerTold: boolean) =>
    services.appendAs({ userId: bot.id, client: CLIENT }, async (context) => {
      const failure = { ...item, error: reason, due_ms: null };
      if ((await context.tx.outbox.failed([failure], context.now)) === 0) return;
      if (isAskerTold) await say(context, message.id, `I could not answer. ${reason}`);
      await tellOwner(context, telling, reason, answer);
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

async function say(context: TransactionContext<'user'>, messageId: number, text: string): Promise<void> {
  const message = await context.tx.messages.byId(messageId);
  const to = message && (await placeOf(context, message));
  if (to) await post(context, to, text);
}

async function post(context: TransactionContext<'user'>, to: Destination, text: string): Promise<void> {
  const content = messageContent(text);
  await postMessage(context, to, { sender: context.actor, content, client: CLIENT, readBySender: true });
}

/** Undefined if the bot can no longer reply there. */
async function placeOf(
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
  answer: string | undefined,
): Promise<void> {
  const owner = bot.bot_owner_id === null ? undefined : await context.tx.users.byId(bot.bot_owner_id);
  if (!owner?.is_active) return;
  const what = await whatWasSaid(context, message.stream_id, message.subject, message.id);
  const shown = answer?.trim()
    ? `\nResponse of the webhook:\n${quotation(answer.trim().slice(0, MAX_SHOWN_CHARS))}`
    : '';
  const text = `${what} called your bot ${silentMention(bot)}, but its webhook failed:\n${quotation(reason)}${shown}`;
  await post(context, { participants: [context.actor, owner].sort((a, b) => a.id - b.id) }, text);
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
