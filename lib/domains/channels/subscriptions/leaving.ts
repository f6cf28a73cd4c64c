import { counted } from '../../../base/counted.ts';
import { BadRequest, StreamDoesNotExist } from '../../../base/errors.ts';
import { present } from '../../../base/present.ts';
import { describe, list, nonEmptyText, type ValuesOf } from '../../../base/schemas.ts';
import type { Channel } from '../../../model/channels.ts';
import type { User } from '../../../model/users.ts';
import { inParts, type LongCall, type Progress } from '../../../operation/operation.ts';
import { hasChannelPermission, mayAdministerChannel } from '../../../rules/channels.ts';
import { fold } from '../../../rules/fold.ts';
import type { Membership } from '../../../rules/permissions.ts';
import { isAdministrator, isGuest } from '../../../rules/roles.ts';
import type { UserChannel } from '../../../storage/interface/channels.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { channelName } from '../channel-settings.ts';
import {
  checkPairs,
  partsOf,
  principalsOf,
  principalsParam,
  type SubscribingPart,
  unsubscribe,
} from '../subscribing.ts';

export const channelsToLeave = list(nonEmptyText());

export const leavingParams = {
  subscriptions: describe(channelsToLeave, 'Channel names.'),
  principals: principalsParam,
};

type LeavingParams = ValuesOf<typeof leavingParams>;

interface LeavingProgress extends Progress {
  channels: readonly Channel[];
  users: readonly User[];
  /** The pairs that were subscribed. */
  gone: readonly UserChannel[];
  left: readonly SubscribingPart[];
}

export async function leave(context: LongCall, given: LeavingParams, begun?: LeavingProgress) {
  const doPart = (tx: AccountContext, before: LeavingProgress | undefined) =>
    before ? continueLeaving(tx, before) : beginLeaving(tx, given, context);
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
  { subscriptions, principals }: LeavingParams,
  { isDryRun }: Pick<LongCall, 'isDryRun'>,
): Promise<LeavingProgress> {
  const { tx } = context;
  checkPairs(subscriptions, principals);
  const users = await principalsOf(context, principals);
  const names = [...new Set(subscriptions.map(channelName))];
  const found = names.length > 0 ? await tx.channels.byNames(names) : [];
  // Channels that are hidden from the caller count as missing, even if the caller was once subscribed.
  const { known, membership } = await context.viewer.knownChannels(found);
  const byKey = new Map(known.map(({ channel }) => [fold(channel.name), channel]));
  const channels = [...new Set(names.map((name) => byKey.get(fold(name))))].filter((channel) => channel !== undefined);
  checkMayRemove(users, channels, membership);
  const missing = names.find((name) => !byKey.has(fold(name)));
  if (missing !== undefined) throw new StreamDoesNotExist({ stream: missing });
  const all = { channels, users };
  const [part = all, ...left] = isDryRun ? [] : partsOf(channels, users);
  const gone = await unsubscribe(context, part.channels, part.users);
  return { ...all, gone, left, isComplete: left.length === 0 };
}

/** Does the next part. Reads users and channels again and repeats the permission check. */
async function continueLeaving(context: AccountContext, before: LeavingProgress): Promise<LeavingProgress> {
  const { tx, actor } = context;
  const [next, ...left] = before.left;
  const part = present(next);
  const channels = await tx.channels.byIds(part.channels.map(({ id }) => id));
  const users = await tx.users.byIds(part.users.map(({ id }) => id));
  const { known, membership } = await context.viewer.knownChannels(channels);
  // The caller keeps the permission in channels that an earlier part of this call removed them from.
  const own = before.gone.filter(({ user_id }) => user_id === actor.id).map(({ channel_id }) => channel_id);
  const visible = new Set([...known.map(({ channel }) => channel.id), ...own]);
  const hidden = channels.some(({ id }) => !visible.has(id));
  checkMayRemove(users, channels, membership, { hidden });
  const gone = [...before.gone, ...(await unsubscribe(context, channels, users))];
  return { ...before, gone, left, isComplete: left.length === 0 };
}

/** Text for the error message of a call that stops halfway. */
export function endedSoFar({ gone: { length } }: { gone: readonly UserChannel[] }): string {
  return `Completed before the error: ${counted(length, 'subscription')} removed.`;
}

/**
 * Users may remove themselves and their own bots. Removing other users needs permission in every channel.
 * @param options `hidden`: whether the caller cannot see one of the channels
 */
function checkMayRemove(
  users: readonly User[],
  channels: readonly Channel[],
  membership: Membership,
  { hidden = false } = {},
): void {
  const actor = membership.user;
  const includesOthers = users.some((user) => user.id !== actor.id && user.bot_owner_id !== actor.id);
  if (!includesOthers || isAdministrator(actor)) return;
  const mayAdminister = (channel: Channel) => mayAdministerChannel(channel, membership);
  const mayRemove = (channel: Channel) => hasChannelPermission(channel, 'can_remove_subscribers_group', membership);
  if (isGuest(actor) || hidden || !(channels.every(mayAdminister) || channels.every(mayRemove)))
    throw new BadRequest('You are not allowed to unsubscribe other users from these channels.');
}
