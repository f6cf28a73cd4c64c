import type { WriteContext } from '../../kernel/context.ts';
import type { Channel } from '../../storage/interface/channels.ts';
import type { User } from '../../storage/interface/users.ts';

/** Subscriptions that one transaction begins or ends: whoever sends or reads meanwhile waits for it. */
const PART = 2_500;

/** What one transaction of several does: each of the users comes into each of the channels, or leaves it. */
export interface SubscribingPart<C = Channel> {
  channels: readonly C[];
  users: readonly User[];
}

/**
 * A large call in parts, of the longer of its lists: each of the other is looked at, and told of, once for each part.
 * @param most channels of a part, if they are the longer list
 */
export function partsOf<C>(channels: readonly C[], users: readonly User[], most = PART): SubscribingPart<C>[] {
  if (users.length > channels.length)
    return inPieces(users, channels.length).map((part) => ({ channels, users: part }));
  return inPieces(channels, users.length, most).map((part) => ({ channels: part, users }));
}

function inPieces<T>(all: readonly T[], others: number, most = PART): T[][] {
  const length = Math.min(most, Math.max(1, Math.floor(PART / Math.max(1, others))));
  return Array.from({ length: Math.ceil(all.length / length) }, (_, at) => all.slice(at * length, (at + 1) * length));
}

/** As a later transaction finds a part: users who are still active, and channels that are still open. */
export async function partAsOfNow(
  { tx }: Pick<WriteContext, 'tx'>,
  { channels, users }: SubscribingPart,
): Promise<SubscribingPart> {
  const there = await tx.channels.byIds(channels.map(({ id }) => id));
  const people = await tx.users.byIds(users.map(({ id }) => id));
  return {
    channels: there.filter(({ is_archived }) => !is_archived),
    users: people.filter(({ is_active }) => is_active),
  };
}
