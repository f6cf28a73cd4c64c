import * as v from 'valibot';
import { choice, either, flag, optional } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { channelViews, subscriptionObject } from '../channel-view.ts';
import { checkNamedSubscribers } from '../subscribing.ts';

export const listSubscriptions = defineOperation({
  name: 'subscriptions.list',
  http: 'GET /users/me/subscriptions',
  summary: 'List your subscriptions',
  access: 'user',
  params: {
    include_subscribers: optional(
      either([flag, choice(['partial'])], 'must be true, false or partial'),
      'Include the IDs of all subscribers of each channel.',
      false,
    ),
  },
  result: v.object({ subscriptions: v.array(subscriptionObject) }),
  extent: ({ include_subscribers }) => (include_subscribers ? 'large' : undefined),
  async run({ tx, actor, now }, { include_subscribers }) {
    const own = await tx.subscriptions.ofUser(actor.id);
    const ids = own.map((subscription) => subscription.channel_id);
    const channels = new Map((await tx.channels.byIds(ids)).map((channel) => [channel.id, channel]));
    if (include_subscribers)
      checkNamedSubscribers([...channels.values()], 'List the subscribers of one channel at a time.');
    const subscribers = include_subscribers ? await tx.subscriptions.subscriberIds(ids) : undefined;
    const views = await channelViews({ tx, now });
    const subscriptions = [];
    for (const subscription of own) {
      const channel = channels.get(subscription.channel_id);
      if (!channel || channel.is_archived) continue;
      subscriptions.push({
        ...views.withSubscription(channel, subscription),
        ...(subscribers ? { subscribers: subscribers.get(channel.id) ?? [] } : {}),
      });
    }
    return { subscriptions };
  },
});
