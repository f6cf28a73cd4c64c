import { knownChannels } from '../../../access/channels.ts';
import type { Snapshot, StatePart } from '../../../kernel/initial-state.ts';
import { channelView, type SubscriptionObject, subscriptionView } from '../channel-view.ts';
import { defaultChannelIds } from '../default-channels.ts';
import { channelFolderView } from '../folders/view.ts';

async function known({ context, options }: Snapshot) {
  const { tx, actor } = context;
  const channels = await tx.channels.all();
  const kept = channels.filter((channel) => !channel.is_archived || options.client_capabilities.archived_channels);
  return (await knownChannels(context, actor, kept)).known;
}

/** Fetch type `subscription`: the channels the caller may know of, by their relation to them. */
export const subscriptionsState: StatePart = async (snapshot) => {
  const { tx, now } = snapshot.context;
  const channels = await known(snapshot);
  const inactive = new Set(await tx.users.inactiveIds());
  const subscribers = snapshot.options.include_subscribers
    ? await tx.subscriptions.subscriberIds(channels.map(({ channel }) => channel.id))
    : undefined;
  const extra = (id: number) => (subscribers ? { subscribers: subscribers.get(id) ?? [] } : {});
  const subscriptions: SubscriptionObject[] = [];
  const unsubscribed: SubscriptionObject[] = [];
  const never_subscribed = [];
  for (const { channel, subscription } of channels) {
    if (!subscription) never_subscribed.push({ ...channelView(channel, inactive, now), ...extra(channel.id) });
    else {
      const view = { ...subscriptionView(channel, subscription, inactive, now), ...extra(channel.id) };
      (subscription.active ? subscriptions : unsubscribed).push(view);
    }
  }
  return { subscriptions, unsubscribed, never_subscribed };
};

/** Fetch type `stream`. */
export const channelsState: StatePart = async (snapshot) => {
  const { tx, now } = snapshot.context;
  const inactive = new Set(await tx.users.inactiveIds());
  return { streams: (await known(snapshot)).map(({ channel }) => channelView(channel, inactive, now)) };
};

/** Fetch type `default_streams`. */
export const defaultChannelsState: StatePart = async ({ context }) => ({
  realm_default_streams: context.actor.role === 600 ? [] : await defaultChannelIds(context),
});

/** Fetch type `channel_folders`. */
export const foldersState: StatePart = async ({ context }) => {
  const folders = await context.tx.channels.folders();
  return { channel_folders: folders.map(channelFolderView) };
};
