import type { Services, TransactionContext } from '../../../kernel/context.ts';
import type { OutboxAttempt } from '../../../kernel/outbox.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { User } from '../../../storage/interface/users.ts';
import { messageContent } from '../message-content.ts';
import { silentMention } from '../notification-bot.ts';
import { type Destination, postMessage } from '../posting/post-message.ts';
import { quotation } from '../quotation.ts';
import type { Telling } from './payloads.ts';

const CLIENT = 'OutgoingWebhookResponse';
/** Characters of what a web hook has said that its owner is shown. */
const SHOWN = 500;

/**
 * The bot answers where the message is by now, whoever may write there: it was asked. The item is done with it, so
 * that a process which dies afterwards leaves nothing to be said twice.
 * @throws ChatError where what it says may not be said there
 */
export function reply(
  services: Services,
  bot: User,
  messageId: number,
  text: string,
  item?: OutboxAttempt,
): Promise<void> {
  const content = messageContent(text);
  return services.appendAs({ userId: bot.id, client: CLIENT }, async (context) => {
    const message = await context.tx.messages.byId(messageId);
    const to = message && (await placeOf(context, message));
    if (!to) return;
    await postMessage(context, to, { sender: context.actor, content, client: CLIENT, readBySender: true });
    if (item) await context.tx.outbox.done([item.id]);
  });
}

/** Undefined where nothing can be said any more. */
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
  if (!place || place.channel.is_archived) return undefined;
  return { channel: place.channel, conversation, isFromOutside: place.subscription?.active !== true };
}

/** The bot writes to its owner, who alone can do something about it. */
export async function tellOwner(
  services: Services,
  { bot, message }: Telling,
  reason: string,
  answer: string | undefined,
): Promise<void> {
  const { bot_owner_id } = bot;
  if (bot_owner_id === null) return;
  await services.appendAs({ userId: bot.id, client: CLIENT }, async (context) => {
    const owner = await context.tx.users.byId(bot_owner_id);
    if (!owner?.is_active) return;
    const what = await whatWasSaid(context, message.stream_id, message.subject, message.id);
    const shown = answer?.trim() ? `\nIt said:\n${quotation(answer.trim().slice(0, SHOWN))}` : '';
    const content = messageContent(
      `${what} was for your bot ${silentMention(bot)}, whose web hook failed:\n${quotation(reason)}${shown}`,
    );
    const participants = [context.actor, owner].sort((a, b) => a.id - b.id);
    await postMessage(
      context,
      { participants },
      { sender: context.actor, content, client: CLIENT, readBySender: true },
    );
  });
}

/** The owner need not know of private places. */
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
