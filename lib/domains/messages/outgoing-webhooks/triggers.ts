import { allInOrder } from '../../../kernel/all-in-order.ts';
import type { WriteContext } from '../../../kernel/context.ts';
import type { SentMessage } from '../../../kernel/message-changes.ts';
import { isBot } from '../../../rules/roles.ts';
import type { ChannelHead } from '../../../storage/interface/channels.ts';
import type { Subscription } from '../../../storage/interface/subscriptions.ts';
import type { User } from '../../../storage/interface/users.ts';

/** `bot_type` of bots with a webhook. */
export const OUTGOING_WEBHOOK = 3;

export const WEBHOOK_CALL = 'webhook';

/** Payload of an outbox item that calls the webhook of a bot. */
export interface WebhookCall {
  bot_id: number;
  message_id: number;
  trigger: 'mention' | 'direct_message';
}

/**
 * Enqueues webhook calls for the bots that a message mentions by name, or that take part in a direct conversation.
 * Messages of bots call no webhook, so that two bots cannot reply to each other forever.
 */
export async function triggerWebhooks(context: WriteContext, messages: readonly SentMessage[]): Promise<void> {
  await allInOrder(messages.map((message) => triggerFor(context, message)));
}

async function triggerFor(context: WriteContext, { message, sender, to, mentions }: SentMessage): Promise<void> {
  if (isBot(sender)) return;
  const call = ({ id }: User, trigger: WebhookCall['trigger']) => {
    const payload: WebhookCall = { bot_id: id, message_id: message.id, trigger };
    context.enqueue({ kind: WEBHOOK_CALL, payload: { ...payload } });
  };
  if (!('channel' in to)) {
    for (const bot of to.participants.filter(hasWebhook)) call(bot, 'direct_message');
    return;
  }
  if (mentions.users.length === 0) return;
  const bots = (await context.tx.users.byIds(mentions.users)).filter(hasWebhook);
  if (bots.length === 0) return;
  for (const bot of to.channel.invite_only ? await subscribed(context, bots, to.channel) : bots) call(bot, 'mention');
}

async function subscribed({ tx }: WriteContext, bots: readonly User[], channel: ChannelHead): Promise<User[]> {
  const ids = bots.map(({ id }) => id);
  const pairs = await tx.subscriptions.pairs(ids, [channel.id]);
  const inside = new Set(pairs.filter(({ active }) => active).map(({ user_id }) => user_id));
  return bots.filter(({ id }) => inside.has(id));
}

/** A webhook gets messages of a private channel only if its bot is subscribed. */
export function isHeardIn(place: { channel: ChannelHead; subscription: Subscription | undefined }): boolean {
  return !place.channel.invite_only || place.subscription?.active === true;
}

const hasWebhook = (user: User) => user.bot_type === OUTGOING_WEBHOOK && user.is_active && user.bot_service !== null;
