import type { LookupContext, ReadContext } from '../kernel/context.ts';
import { BadRequest } from '../kernel/errors.ts';
import { hasContentAccess, hasMetadataAccess } from '../rules/channels.ts';
import { traceOf } from '../rules/decisions.ts';
import type { Membership } from '../rules/permissions.ts';
import type { Channel } from '../storage/interface/channels.ts';
import type { Subscription } from '../storage/interface/subscriptions.ts';
import type { User } from '../storage/interface/users.ts';
import { membershipOf } from './membership.ts';

/** A channel that a user can see. */
export interface KnownChannel {
  channel: Channel;
  /** The user's subscription, active or not. */
  subscription: Subscription | undefined;
  isSubscribed: boolean;
  /** Whether the user can read its messages. */
  readable: boolean;
}

/** For at most this many channels, only these subscriptions are read: a user can have thousands. */
const MAX_SINGLE_LOOKUPS = 200;

/** The channels that the user can see, and the user's memberships. */
export async function knownChannels(
  context: LookupContext,
  user: User,
  channels: readonly Channel[],
): Promise<{ known: KnownChannel[]; membership: Membership }> {
  const { subscriptions: stored } = context.tx;
  const ids = channels.map((channel) => channel.id);
  const [membership, subscriptions] = await Promise.all([
    membershipOf(context, user),
    ids.length <= MAX_SINGLE_LOOKUPS ? stored.pairs([user.id], ids) : stored.ofUser(user.id, { inactive: true }),
  ]);
  const byChannel = new Map(subscriptions.map((subscription) => [subscription.channel_id, subscription]));
  const known: KnownChannel[] = [];
  for (const channel of channels) {
    const subscription = byChannel.get(channel.id);
    const isSubscribed = subscription?.active ?? false;
    const readable = hasContentAccess(channel, membership, isSubscribed);
    if (readable || hasMetadataAccess(channel, membership, isSubscribed))
      known.push({ channel, subscription, isSubscribed, readable });
  }
  return { known, membership };
}

/** @throws BadRequest if the channel does not exist; with the same message if the user cannot see it. */
export async function accessChannel(
  context: ReadContext,
  user: User,
  id: number,
  options: { archived?: boolean; readable?: boolean } = {},
): Promise<KnownChannel & { membership: Membership }> {
  const channel = await context.tx.channels.byId(id);
  const refusal = () => new BadRequest(`There is no channel with ID ${id} that you can access.`);
  if (!channel || (channel.is_archived && !options.archived)) {
    tellAbsent(user, channel, `There is no channel with ID ${id}.`);
    throw refusal();
  }
  const { known, membership } = await knownChannels(context, user, [channel]);
  const found = known[0];
  if (!found || (options.readable && !found.readable)) throw refusal();
  return { ...found, membership };
}

/** Like accessChannel(), by name. Does not find archived channels. */
export async function accessChannelByName(
  context: ReadContext,
  user: User,
  name: string,
  options: { readable?: boolean } = {},
): Promise<KnownChannel & { membership: Membership }> {
  const [channel] = await context.tx.channels.byNames([name.trim()]);
  const refusal = () => new BadRequest(`There is no channel named "${name}" that you can access.`);
  if (!channel || channel.is_archived) {
    tellAbsent(user, channel, `There is no channel named "${name}".`);
    throw refusal();
  }
  const { known, membership } = await knownChannels(context, user, [channel]);
  if (!known[0] || (options.readable && !known[0].readable)) throw refusal();
  return { ...known[0], membership };
}

function tellAbsent(user: User, channel: Channel | undefined, absence: string): void {
  const detail = channel ? `The channel "${channel.name}" has been archived.` : absence;
  traceOf(user)?.({ rule: 'channel', isYes: false, detail });
}
