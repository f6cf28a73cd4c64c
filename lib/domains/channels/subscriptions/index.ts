import { defineFeature } from '../../../kernel/feature.ts';
import { subscriptionsState } from '../initial-state.ts';
import { addSubscriptions } from './add.ts';
import { peersSubscribed, peersUnsubscribed, subscribed, subscriptionUpdated, unsubscribed } from './events.ts';
import { getSubscription } from './get.ts';
import { listSubscriptions } from './list.ts';
import { removeSubscriptions } from './remove.ts';
import { updateSubscriptions } from './update.ts';
import { updateSubscriptionProperties } from './update-properties.ts';

/**
 * Who reads which channel, and what they have set for it. Subscribing by a name that no channel has
 * creates the channel, as clients expect. A subscription that ends keeps its settings.
 */
export const subscriptions = defineFeature({
  operations: [
    listSubscriptions,
    getSubscription,
    addSubscriptions,
    removeSubscriptions,
    updateSubscriptions,
    updateSubscriptionProperties,
  ],
  events: [subscribed, unsubscribed, subscriptionUpdated, peersSubscribed, peersUnsubscribed],
  initialState: { subscription: subscriptionsState },
});
