import { groupMembersAdded, groupMembersRemoved } from '../../access/events.ts';
import { emitVisibility, restrictedGuests, visibilityBefore } from '../../access/user-visibility.ts';
import type { WriteContext } from '../../kernel/context.ts';
import { BadRequest, UnauthorizedPrincipal } from '../../kernel/errors.ts';
import { isBot, isOwner, OWNER } from '../../rules/roles.ts';
import type { User } from '../../storage/interface/users.ts';
import { onlyIfShown } from '../channels/archived-channels.ts';
import { emitPeers, peerAudiences } from '../channels/peers.ts';
import { peersSubscribed, peersUnsubscribed } from '../channels/subscriptions/events.ts';
import { emitAccountMemberships } from '../user-groups/account-memberships.ts';
import { emitAccountUpdated } from './accounts/events.ts';
import { emitBotsUpdated } from './bots/events.ts';
import { emitShownPermissions } from './shown-permissions.ts';

/** Throws unless the actor may change the target: only owners can change owners. */
export function checkMayChangeOwner(actor: User, target: Pick<User, 'role'>): void {
  if (isOwner(target) && !isOwner(actor)) throw new UnauthorizedPrincipal('an organization owner');
}

/** @param problem start of the error message. @throws BadRequest if `user` is the only active owner */
export async function checkNotOnlyOwner({ tx }: Pick<WriteContext, 'tx'>, user: User, problem: string): Promise<void> {
  if (!user.is_active || !isOwner(user) || isBot(user) || (await tx.users.countActive(OWNER)) > 1) return;
  const data = { entity: 'organization owner', is_last_owner: true };
  throw new BadRequest(`${problem}. Make another user an owner first.`, data);
}

/**
 * Deactivates an account and the bots it owns: their API keys stop working and their event queues end. Does nothing if
 * the account is already deactivated.
 * @throws BadRequest for the only active owner
 */
export async function deactivate(context: WriteContext, user: User): Promise<void> {
  if (!user.is_active) return;
  const { tx } = context;
  await checkNotOnlyOwner(context, user, 'The only owner of the organization cannot be deactivated');
  const bots = isBot(user) ? [] : await tx.users.botsOwnedBy(user.id);
  const accounts = [user, ...bots.filter((bot) => bot.is_active)];
  const ids = accounts.map((account) => account.id);
  const before = await visibilityBefore(context, [{ guests: await restrictedGuests(context), users: ids }]);
  await tx.queues.removeOfUsers(ids);
  await emitToPeers(context, ids, peersUnsubscribed);
  await tx.users.deactivate(ids);
  for (const account of accounts) await emitAccountUpdated(context, account, { is_active: false });
  await emitBotsUpdated(context, accounts, { is_active: false });
  await emitVisibility(context, before);
  await emitAccountMemberships(context, accounts, groupMembersRemoved);
  await emitShownPermissions(context, ids);
}

/**
 * Reactivates an account with its role and subscriptions. Does not reactivate its bots.
 * @throws BadRequest if the account is active
 */
export async function reactivate(context: WriteContext, user: User): Promise<void> {
  if (user.is_active) throw new BadRequest('This account is already active.');
  const before = await visibilityBefore(context, [{ guests: await restrictedGuests(context), users: [user.id] }]);
  await context.tx.users.update(user.id, { is_active: true });
  await emitVisibility(context, before);
  await emitAccountUpdated(context, user, { is_active: true });
  await emitToPeers(context, [user.id], peersSubscribed);
  await emitBotsUpdated(context, [user], { is_active: true });
  await emitAccountMemberships(context, [user], groupMembersAdded);
  await emitShownPermissions(context, [user.id]);
}

/** Subscriber lists contain active accounts only. Adds accounts to the lists of their channels, or removes them. */
async function emitToPeers(
  context: WriteContext,
  userIds: readonly number[],
  event: typeof peersSubscribed | typeof peersUnsubscribed,
): Promise<void> {
  const { tx } = context;
  const theirs = await tx.subscriptions.byChannel(userIds);
  if (theirs.size === 0) return;
  const channels = await tx.channels.byIds([...theirs.keys()]);
  const audiences = await peerAudiences(context, channels);
  for (const is_archived of [false, true]) {
    const changes = channels
      .filter((channel) => channel.is_archived === is_archived)
      .map((channel) => {
        const ids = theirs.get(channel.id) ?? [];
        return { channel, ids, peers: { ...audiences.get(channel.id), except: ids } };
      });
    emitPeers(context, changes, event, onlyIfShown({ is_archived }));
  }
}
