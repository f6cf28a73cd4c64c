import { administratorIds } from '../../access/users.ts';
import type { WriteContext } from '../../kernel/context.ts';
import { BadRequest, UnauthorizedPrincipal } from '../../kernel/errors.ts';

import { isBot, isOwner, OWNER } from '../../rules/roles.ts';
import type { User } from '../../storage/storage.ts';
import { accountUpdated, subscriberListsChanged } from './account-events.ts';
import { permissionsShownAnew } from './shown-permissions.ts';

/** Only owners decide about owners. */
export function mayActOnOwner(actor: User, target: User): void {
  if (isOwner(target) && !isOwner(actor)) throw new UnauthorizedPrincipal('an organization owner');
}

/**
 * Deactivates an account and the bots it owns: their keys stop working, their event queues end. The
 * last owner cannot be deactivated.
 */
export async function deactivate(scope: WriteContext, user: User): Promise<void> {
  if (!user.is_active) return;
  if (isOwner(user) && !isBot(user) && (await scope.tx.users.countActive(OWNER)) <= 1) {
    throw new BadRequest(
      'The only owner of the organization cannot be deactivated; make somebody else an owner first.',
    );
  }
  const bots = isBot(user) ? [] : await scope.tx.users.botsOwnedBy(user.id);
  const accounts = [user, ...bots.filter((bot) => bot.is_active)];
  for (const account of accounts) {
    await subscriberListsChanged(scope, account.id, 'peer_remove');
    await scope.tx.users.update(account.id, { is_active: false });
    await scope.tx.queues.removeOfUser(account.id);
    scope.emit(accountUpdated(scope.organization, { user_id: account.id, is_active: false }));
    await botChanged(scope, account, { is_active: false });
  }
  await permissionsShownAnew(
    scope,
    accounts.map((account) => account.id),
  );
}

/** Brings an account back with everything it had; its bots stay as they are. */
export async function reactivate(scope: WriteContext, user: User): Promise<void> {
  if (user.is_active) throw new BadRequest('This account is active already.');
  await scope.tx.users.update(user.id, { is_active: true });
  scope.emit(accountUpdated(scope.organization, { user_id: user.id, is_active: true }));
  await subscriberListsChanged(scope, user.id, 'peer_add');
  await botChanged(scope, user, { is_active: true });
  await permissionsShownAnew(scope, [user.id]);
}

/** Tells the owner of a bot and the administrators. */
export async function botChanged(scope: WriteContext, account: User, change: Record<string, unknown>): Promise<void> {
  if (!isBot(account)) return;
  const readers = new Set(await administratorIds(scope));
  if (account.bot_owner_id !== null) readers.add(account.bot_owner_id);
  scope.emit({
    audience: { users: [...readers] },
    event: { type: 'realm_bot', op: 'update', bot: { user_id: account.id, ...change } },
  });
}
