import { defineFeature } from '../../../operation/feature.ts';
import { subscriptionsState } from '../initial-state.ts';
import { addSubscriptions } from './add.ts';
import { peersSubscribed, peersUnsubscribed, subscribed, subscriptionUpdated, unsubscribed } from './events.ts';
import { getSubscription } from './get.ts';
import { listSubscriptions } from './list.ts';
import { removeSubscriptions } from './remove.ts';
import { updateSubscriptions } from './update.ts';
import { updateSubscriptionProperties } from './update-properties.ts';

/**
 * Subscriptions of users to channels, with personal settings. Subscribing to a name that does not exist creates the
 * channel, because clients expect it. Personal settings are kept after unsubscribing.
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
