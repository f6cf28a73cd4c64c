import { BadRequest } from '../../../base/errors.ts';
import type { User } from '../../../model/users.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { mutedUsersChanged } from '../../messages/blocking.ts';
import { emitReadAfterMuting } from '../../messages/flags/deferred-read-events.ts';

/** Muted and blocked users together: every client loads the whole list at start. */
const MAX_MUTED_USERS = 1_000;

/** Mutes or blocks a user. False if the user was already muted, or already blocked. */
export async function mute(
  context: AccountContext,
  user: User,
  { is_blocked }: { is_blocked: boolean },
): Promise<boolean> {
  const { tx, actor, now, emit } = context;
  const present = await tx.mutedUsers.of(actor.id);
  const isMuted = present.some(({ id }) => id === user.id);
  if (!isMuted && present.length >= MAX_MUTED_USERS) {
    throw new BadRequest(`You can mute and block at most ${MAX_MUTED_USERS} users.`);
  }
  const since = await tx.mutedUsers.mutedUntil(actor.id, user.id);
  const muted = { id: user.id, timestamp: Math.floor(now / 1000), is_blocked };
  if (!(await tx.mutedUsers.add(actor.id, muted))) return false;
  emit({ users: [actor.id] }, mutedUsersChanged({}));
  if (!isMuted) await emitReadAfterMuting(context, actor.id, user.id, since);
  return true;
}
