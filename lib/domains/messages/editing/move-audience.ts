import {
  type ChannelMessages,
  channelMessagesAudience,
  outsideReaders,
  sharedHistoryAudience,
  withContentAccess,
} from '../../../access/messages.ts';
import type { ReadContext } from '../../../kernel/context.ts';
import { hasSharedHistory } from '../../../rules/channels.ts';
import type { Audience } from '../../../storage/interface/event-log.ts';
import type { MovePlan } from './move-plan.ts';

/** Users who get the events of a move, and users who lose access or unread messages by it. */
export interface MoveAudience {
  /** Users who can see moved messages before or after the move. */
  audience: Audience;
  /** Users who could read the messages before the move and cannot read them after it. */
  lostAccess: number[];
  /** By user ID: messages that the user can no longer read, if the user can still read others. */
  lostSome: ReadonlyMap<number, readonly number[]>;
  /**
   * Subscribers of only the old channel. They can read the messages, but have no unread messages in the new channel.
   */
  notSubscribed: number[];
}

/** Call it before the messages move. */
export async function moveAudience(context: ReadContext, plan: MovePlan): Promise<MoveAudience> {
  const { from, to, first_id, last_id } = plan;
  const messages = plan.ids ?? { conversation_id: from.conversation.id, from_id: first_id, to_id: last_id };
  if (from.channel.id !== to.channel.id) return betweenChannels(context, plan, messages);
  const audience = hasSharedHistory(from.channel)
    ? await sharedHistoryAudience(context, from.channel, messages)
    : await protectedAudience(context, plan);
  return { audience, lostAccess: [], lostSome: new Map(), notSubscribed: [] };
}

async function betweenChannels(context: ReadContext, plan: MovePlan, messages: ChannelMessages): Promise<MoveAudience> {
  const { from, to } = plan;
  const subscribers = await context.tx.subscriptions.subscriberIds([from.channel.id, to.channel.id]);
  const arriving = subscribers.get(to.channel.id) ?? [];
  // With protected history, not every subscriber has received the messages.
  const isShared = hasSharedHistory(from.channel);
  const old = isShared
    ? (subscribers.get(from.channel.id) ?? [])
    : [...((await protectedAudience(context, plan)).users ?? [])];
  const former = isShared ? await outsideReaders(context, from.channel, messages) : [];
  const wereSubscribed = new Set(subscribers.get(from.channel.id));
  const isArriving = new Set(arriving);
  const isSubscribed = new Set(old);
  const knewThem = new Set([...old, ...former]);
  const leftBehind = [...knewThem].filter((id) => !isArriving.has(id));
  const isOut = new Set(await withoutAccess(context, plan, leftBehind));
  const lostSome = await missingThere(context, plan, arriving);
  const total = plan.ids?.length ?? (lostSome.size > 0 ? (await allIds(context, plan)).length : 0);
  for (const [id, missing] of lostSome) {
    if (missing.length < total) continue;
    lostSome.delete(id);
    isOut.add(id);
  }
  const seeing = [...new Set([...old, ...arriving, ...former])].filter((id) => !isOut.has(id));
  return {
    audience: isShared
      ? { channel: from.channel.id, users: seeing.filter((id) => !isSubscribed.has(id)), except: [...isOut] }
      : { users: seeing },
    lostAccess: [...isOut].filter((id) => knewThem.has(id)),
    lostSome: new Map([...lostSome].filter(([id]) => knewThem.has(id))),
    notSubscribed: old.filter((id) => wereSubscribed.has(id) && !isOut.has(id) && !isArriving.has(id)),
  };
}

async function protectedAudience(context: ReadContext, plan: MovePlan): Promise<Audience> {
  return channelMessagesAudience(context, plan.from.channel, plan.ids ?? (await allIds(context, plan)));
}

async function allIds({ tx }: ReadContext, { message, from }: MovePlan): Promise<number[]> {
  const query = { viewer: message.sender_id, conversations: [from.conversation.id] };
  return tx.messages.fetchIds(query, 0, 'after', Number.MAX_SAFE_INTEGER);
}

/** Users, not subscribed to the new channel, who may not read the messages in it. */
async function withoutAccess(context: ReadContext, { to }: MovePlan, userIds: readonly number[]): Promise<number[]> {
  if (to.channel.invite_only && !hasSharedHistory(to.channel)) return [...userIds];
  const isIn = new Set(await withContentAccess(context, to.channel, userIds));
  return userIds.filter((id) => !isIn.has(id));
}

/** By user ID: messages that subscribers of a channel with protected history would not have received there. */
async function missingThere(
  context: ReadContext,
  plan: MovePlan,
  userIds: readonly number[],
): Promise<Map<number, readonly number[]>> {
  if (hasSharedHistory(plan.to.channel)) return new Map();
  const ids = plan.ids ?? (await allIds(context, plan));
  return context.tx.messages.notReceived(userIds, ids, plan.to.channel.id);
}
