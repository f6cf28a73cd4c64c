import {
  channelMessagesAudience,
  formerReaders,
  sharedAudience,
  type WhichMessages,
} from '../../../access/message-audience.ts';
import { holdersOf } from '../../../access/users-with-permission.ts';
import type { ReadContext } from '../../../kernel/context.ts';
import type { Audience } from '../../../kernel/event.ts';

import { channelPermission, hasSharedHistory } from '../../../rules/channels.ts';
import { isGuest } from '../../../rules/roles.ts';
import type { MovePlan } from './move-plan.ts';

/** Who learns of a move, and for whom it takes messages out of sight or out of what is unread. */
export interface Reach {
  audience: Audience;
  /** Could read the messages where they were and cannot where they go. */
  blind: number[];
  /** Cannot read some of them any more; what is missing, by user. */
  partlyBlind: Map<number, number[]>;
  /** Subscribers of the old channel alone, who may still read the messages but have nothing unread there. */
  strangers: number[];
}

/** To be asked before the messages move. */
export async function reachOfMove(scope: ReadContext, plan: MovePlan): Promise<Reach> {
  const { from, to, first_id, last_id } = plan;
  const which: WhichMessages = plan.ids ?? {
    conversation_id: from.conversation.id,
    from_id: first_id,
    to_id: last_id,
  };
  if (from.channel.id === to.channel.id) {
    const audience = hasSharedHistory(from.channel)
      ? await sharedAudience(scope, from.channel, which)
      : await protectedAudience(scope, plan);
    return { audience, blind: [], partlyBlind: new Map(), strangers: [] };
  }
  const subscribers = await scope.tx.subscriptions.subscriberIds([from.channel.id, to.channel.id]);
  // Where history is protected, not every subscriber knows of the messages.
  const isShared = hasSharedHistory(from.channel);
  const old = isShared
    ? (subscribers.get(from.channel.id) as number[])
    : [...((await protectedAudience(scope, plan)).users ?? [])];
  const coming = subscribers.get(to.channel.id) as number[];
  const isComing = new Set(coming);
  const isSubscribed = new Set(old);
  const former = await formerReaders(scope, from.channel, which);
  const blind = await withoutAccess(
    scope,
    plan,
    [...new Set([...old, ...former])].filter((id) => !isComing.has(id)),
  );
  const partlyBlind = await missingThere(scope, plan, coming);
  const isOut = new Set(blind);
  const isOld = new Set([...old, ...former]);
  const total = plan.ids?.length ?? (partlyBlind.size > 0 ? (await allIds(scope, plan)).length : 0);
  for (const [id, missing] of partlyBlind) {
    if (missing.length < total) continue;
    partlyBlind.delete(id);
    isOut.add(id);
  }
  const seeing = [...new Set([...old, ...coming, ...former])].filter((id) => !isOut.has(id));
  return {
    audience: isShared
      ? { channel: from.channel.id, users: seeing.filter((id) => !isSubscribed.has(id)), except: [...isOut] }
      : { users: seeing },
    blind: [...isOut].filter((id) => isOld.has(id)),
    partlyBlind: new Map([...partlyBlind].filter(([id]) => isOld.has(id))),
    strangers: old.filter((id) => !isOut.has(id) && !isComing.has(id)),
  };
}

async function protectedAudience(scope: ReadContext, plan: MovePlan): Promise<Audience> {
  return channelMessagesAudience(scope, plan.from.channel, plan.ids ?? (await allIds(scope, plan)));
}

async function allIds({ tx }: Pick<ReadContext, 'tx'>, { message, from }: MovePlan): Promise<number[]> {
  const feed = { viewer: message.sender_id, conversations: [from.conversation.id] };
  return tx.messages.walk(feed, 0, 'after', Number.MAX_SAFE_INTEGER);
}

/** Of people not subscribed to the new channel, those who may not read it. */
async function withoutAccess(scope: ReadContext, { to }: MovePlan, userIds: readonly number[]): Promise<number[]> {
  if (to.channel.is_web_public || userIds.length === 0) return [];
  if (!to.channel.invite_only) return (await scope.tx.users.byIds(userIds)).filter(isGuest).map((user) => user.id);
  if (!hasSharedHistory(to.channel)) return [...userIds];
  const holders = await holdersOf(scope, [
    channelPermission(to.channel, 'can_add_subscribers_group'),
    channelPermission(to.channel, 'can_subscribe_group'),
  ]);
  return userIds.filter((id) => !holders.has(id));
}

/** Messages that subscribers of a channel with protected history would not have received there. */
async function missingThere(
  scope: ReadContext,
  plan: MovePlan,
  userIds: readonly number[],
): Promise<Map<number, number[]>> {
  if (hasSharedHistory(plan.to.channel)) return new Map();
  const ids = plan.ids ?? (await allIds(scope, plan));
  return scope.tx.messages.notReceived(userIds, ids, plan.to.channel.id);
}
