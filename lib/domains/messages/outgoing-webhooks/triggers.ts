import type { WriteContext } from '../../../kernel/context.ts';
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
 * Messages of bots call no webhook, so that two bots cannot reply to each other forever. Call it in the transaction
 * that stores the message.
 */
export async function triggerWebhooks(
  context: WriteContext,
  message: { id: number },
  sender: User,
  to: { channel: ChannelHead } | { participants: readonly User[] },
  mentioned: readonly number[],
): Promise<void> {
  if (isBot(sender)) return;
  if ('participants' in to) {
    for (const bot of to.participants.filter(hasWebhook)) call(bot, 'direct_message');
    return;
  }
  if (mentioned.length === 0) return;
  const { tx } = context;
  const bots = (await tx.users.byIds(mentioned)).filter(hasWebhook);
  if (bots.length === 0) return;
  for (const bot of to.channel.invite_only ? await subscribed(bots, to.channel) : bots) call(bot, 'mention');

  function call({ id }: User, trigger: WebhookCall['trigger']): void {
    const payload: WebhookCall = { bot_id: id, message_id: message.id, trigger };
    context.enqueue({ kind: WEBHOOK_CALL, payload: { ...payload } });
  }

  async function subscribed(some: readonly User[], channel: ChannelHead): Promise<User[]> {
    const ids = some.map(({ id }) => id);
    const pairs = await tx.subscriptions.pairs(ids, [channel.id]);
    const inside = new Set(pairs.filter(({ active }) => active).map(({ user_id }) => user_id));
    return some.filter(({ id }) => inside.has(id));
  }
}

/** A webhook gets messages of a private channel only if its bot is subscribed. */
export function isHeardIn(place: { channel: ChannelHead; subscription: Subscription | undefined }): boolean {
  return !place.channel.invite_only || place.subscription?.active === true;
}

const hasWebhook = (user: User) => user.bot_type === OUTGOING_WEBHOOK && user.is_active && user.bot_service !== null;
