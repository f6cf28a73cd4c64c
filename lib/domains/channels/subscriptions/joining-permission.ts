import { isGranted, membershipOf } from '../../../access/membership.ts';
import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { hasContentAccess, mayAddSubscribersHere } from '../../../rules/channels.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import type { Channel } from '../../../storage/interface/channels.ts';
import type { User } from '../../../storage/interface/users.ts';

/** @throws BadRequest if there are unauthorized channels and `authorization_errors_fatal` is set */
export function checkUnauthorized(
  { authorization_errors_fatal }: { authorization_errors_fatal: boolean },
  names: readonly string[],
): void {
  if (names.length === 0 || !authorization_errors_fatal) return;
  throw new BadRequest(`You are not allowed to subscribe to ${names.map((name) => `"${name}"`).join(', ')}.`);
}

/**
 * Splits channels by whether the caller may subscribe these users to them. The unauthorized channels may be hidden from
 * the caller, so a response may only contain the names from the request.
 */
export async function splitByPermission(
  context: AccountContext,
  users: readonly User[],
  channels: readonly Channel[],
): Promise<{ allowed: Channel[]; unauthorized: Channel[] }> {
  if (channels.length === 0) return { allowed: [], unauthorized: [] };
  const { actor } = context;
  const addsOthers = users.some((user) => user.id !== actor.id);
  const [membership, subscriptions, mayAddAnywhere] = await Promise.all([
    membershipOf(context, actor),
    context.tx.subscriptions.pairs(
      [actor.id],
      channels.map((channel) => channel.id),
    ),
    addsOthers && (isAdministrator(actor) || isGranted(context, actor, 'can_add_subscribers_group')),
  ]);
  const subscribed = new Set(subscriptions.filter(({ active }) => active).map(({ channel_id }) => channel_id));
  const allowed: Channel[] = [];
  const unauthorized: Channel[] = [];
  for (const channel of channels) {
    const readable = hasContentAccess(channel, membership, subscribed.has(channel.id));
    const mayAdd = !addsOthers || mayAddAnywhere || mayAddSubscribersHere(channel, membership);
    if (readable && !channel.is_archived && mayAdd) allowed.push(channel);
    else unauthorized.push(channel);
  }
  return { allowed, unauthorized };
}
