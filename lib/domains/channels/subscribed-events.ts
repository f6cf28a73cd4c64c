import type { EventDraft } from '../../kernel/event.ts';
import type { Channel, Subscription } from '../../storage/storage.ts';
import { type SubscriptionObject, subscriptionView } from './channel-view.ts';

/** Tells each of these subscribers of the channel that they are; those with the same personal properties by one event. */
export function subscribedEvents(
  channel: Channel,
  own: readonly Subscription[],
  subscribers: number[],
  inactive: ReadonlySet<number>,
  now: number,
): EventDraft[] {
  const alike = new Map<string, { users: number[]; view: SubscriptionObject }>();
  for (const subscription of own) {
    const view = { ...subscriptionView(channel, subscription, inactive, now), subscribers };
    const key = personalKey(subscription);
    const group = alike.get(key);
    if (group) group.users.push(subscription.user_id);
    else alike.set(key, { users: [subscription.user_id], view });
  }
  return [...alike.values()].map(({ users, view }) => ({
    audience: { users },
    event: { type: 'subscription', op: 'add', subscriptions: [view] },
  }));
}

function personalKey({ user_id: _user, floor: _floor, ...properties }: Subscription): string {
  return JSON.stringify(properties);
}
