import { knownChannels } from '../../../access/channels.ts';
import type { AccountContext } from '../../../access/context.ts';
import { membershipOf } from '../../../access/membership.ts';
import { accessUsers } from '../../../access/users.ts';
import { BadRequest, StreamDoesNotExist } from '../../../base/errors.ts';
import { describe, list, text, type ValuesOf } from '../../../base/schemas.ts';
import type { Channel } from '../../../model/channels.ts';
import type { User } from '../../../model/users.ts';
import { inParts, type LongCall, type Progress } from '../../../operation/in-parts.ts';
import { hasMetadataAccess, mayAdministerChannel, mayRemoveSubscribers } from '../../../rules/channels.ts';
import { isAdministrator, isGuest } from '../../../rules/roles.ts';
import { channelName } from '../channel-settings.ts';
import { checkPairs, principalsParam, unsubscribe } from '../subscribing.ts';
import { partsOf, type SubscribingPart } from '../subscribing-parts.ts';

export const channelsToLeave = list(text());

export const leavingParams = {
  subscriptions: describe(channelsToLeave, 'Channel names.'),
  principals: principalsParam,
};

type Leaving = ValuesOf<typeof leavingParams>;

interface LeavingProgress extends Progress {
  channels: readonly Channel[];
  users: readonly User[];
  /** The pairs that were subscribed. */
  gone: Gone;
  left: readonly SubscribingPart[];
}

export async function leave(context: LongCall, given: Leaving, begun?: LeavingProgress) {
  const doPart = (tx: AccountContext, before: LeavingProgress | undefined) =>
    before ? continueLeaving(tx, before) : beginLeaving(tx, given, context.isTrial);
  const { channels, users, gone } = await inParts(context, 'write', doPart, { begun, describe: endedSoFar });
  const pairs = new Set(gone.map((pair) => `${pair.user_id}:${pair.channel_id}`));
  const removed: string[] = [];
  const not_removed: string[] = [];
  for (const user of users) {
    for (const channel of channels) (pairs.has(`${user.id}:${channel.id}`) ? removed : not_removed).push(channel.name);
  }
  return { removed, not_removed };
}

/** Checks everything and does the first part. */
export async function beginLeaving(
  context: AccountContext,
  { subscriptions, principals }: Leaving,
  isTrial: boolean,
): Promise<LeavingProgress> {
  const { tx, actor } = context;
  checkPairs(subscriptions, principals);
  const users = principals && principals.length > 0 ? await accessUsers(context, actor, principals) : [actor];
  const names = [...new Set(subscriptions.map(channelName))];
  const found = names.length > 0 ? await tx.channels.byNames(names) : [];
  // Channels that are hidden from the caller count as missing, even if the caller was once subscribed.
  const { known } = await knownChannels(context, actor, found);
  const byKey = new Map(known.map(({ channel }) => [channel.name.toLowerCase(), channel]));
  const channels = [...new Set(names.map((name) => byKey.get(name.toLowerCase())))].filter(
    (channel) => channel !== undefined,
  );
  await checkMayRemove(context, users, channels);
  const missing = names.find((name) => !byKey.has(name.toLowerCase()));
  if (missing !== undefined) throw new StreamDoesNotExist({ stream: missing });
  const all = { channels, users };
  const [part = all, ...left] = isTrial ? [] : partsOf(channels, users);
  const gone = await unsubscribe(context, part.channels, part.users);
  return { ...all, gone, left, isComplete: left.length === 0 };
}

/** Does the next part. Reads users and channels again and repeats the permission check. */
async function continueLeaving(context: AccountContext, before: LeavingProgress): Promise<LeavingProgress> {
  const { tx, actor } = context;
  const [part, ...left] = before.left as [SubscribingPart];
  const channels = await tx.channels.byIds(part.channels.map(({ id }) => id));
  const users = await tx.users.byIds(part.users.map(({ id }) => id));
  // The caller keeps the permission in channels that an earlier part of this call removed them from.
  const own = before.gone.filter(({ user_id }) => user_id === actor.id).map(({ channel_id }) => channel_id);
  await checkMayRemove(context, users, channels, own);
  const gone = [...before.gone, ...(await unsubscribe(context, channels, users))];
  return { ...before, gone, left, isComplete: left.length === 0 };
}

type Gone = Awaited<ReturnType<typeof unsubscribe>>;

/** Text for the error message of a call that stops halfway. */
export function endedSoFar({ gone: { length } }: { gone: Gone }): string {
  return `Completed before the error: ${length} ${length === 1 ? 'subscription' : 'subscriptions'} removed.`;
}

/** Users may remove themselves and their own bots. Removing other users needs permission in every channel. */
async function checkMayRemove(
  context: AccountContext,
  users: readonly User[],
  channels: readonly Channel[],
  left: readonly number[] = [],
): Promise<void> {
  const { actor, tx } = context;
  const includesOthers = users.some((user) => user.id !== actor.id && user.bot_owner_id !== actor.id);
  if (!includesOthers || isAdministrator(actor)) return;
  const refusal = new BadRequest('You are not allowed to unsubscribe other users from these channels.');
  if (isGuest(actor)) throw refusal;
  const membership = await membershipOf(context, actor);
  if (channels.every((channel) => mayAdministerChannel(channel, membership))) return;
  const own = await tx.subscriptions.pairs(
    [actor.id],
    channels.map((channel) => channel.id),
  );
  const subscribed = new Set([...left, ...own.filter(({ active }) => active).map(({ channel_id }) => channel_id)]);
  for (const channel of channels) {
    const knows = hasMetadataAccess(channel, membership, subscribed.has(channel.id));
    if (!knows || !mayRemoveSubscribers(channel, membership)) throw refusal;
  }
}
