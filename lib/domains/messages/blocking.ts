import * as v from 'valibot';
import { BadRequest, DirectMessageRefused } from '../../base/errors.ts';
import { allInOrder } from '../../base/lists.ts';
import { describe } from '../../base/schemas.ts';
import { defineEvent } from '../../events/define-event.ts';
import type { User } from '../../model/users.ts';
import type { AccountContext, ReadContext, TransactionContext } from '../../viewer/context.ts';

/*
 * A block is a mute with a mark. So read state, notifications, read receipts and released clients treat blocked users
 * as muted ones. In addition, blocked users cannot send direct messages to the blocker.
 */

const mutedUserObject = v.object({
  id: describe(v.number(), 'ID of the muted user.'),
  timestamp: describe(v.number(), 'When the user was muted; UNIX seconds.'),
  is_blocked: describe(v.optional(v.literal(true)), 'You also block this user (`users.block`).'),
});

type MutedUserView = v.InferOutput<typeof mutedUserObject>;

/** Blocked users are in the list, so that clients that do not know blocks hide their messages too. */
export async function mutedUsersOf({ tx }: Pick<ReadContext, 'tx'>, userId: number): Promise<MutedUserView[]> {
  const muted = await tx.mutedUsers.of(userId);
  return muted.map(({ is_blocked, ...user }) => (is_blocked ? { ...user, is_blocked } : user));
}

export const mutedUsersChanged = defineEvent('muted_users', {
  summary: "The reader's list of muted and blocked users changed. Contains the whole list.",
  fields: { muted_users: v.array(mutedUserObject) },
  lookUp: { forReader: async (context, reader) => ({ muted_users: await mutedUsersOf(context, reader.id) }) },
  // Looked up at delivery, so that the log does not store the whole list with each change.
  forClient: ({ muted_users = [] }: { muted_users?: MutedUserView[] }) => ({ muted_users }),
});

type BlockContext = ReadContext & Pick<TransactionContext, 'readersVersion' | 'afterCommit'>;

/** Those of the users who block the sender, or the owner of the sending bot. Usually known without a query. */
async function blockersAmong(context: BlockContext, { id, bot_owner_id }: User, users: readonly number[]) {
  const { tx, services, readersVersion, afterCommit } = context;
  const accounts = bot_owner_id === null ? [id] : [id, bot_owner_id];
  const muters = new Set(
    (await allInOrder(accounts.map((one) => services.muters.of(tx, readersVersion, one, afterCommit)))).flat(),
  );
  const blocks = await tx.mutedUsers.blocksAmong(
    users.filter((user) => user !== id && muters.has(user)),
    accounts,
  );
  return new Set(blocks.map(({ user_id }) => user_id));
}

/**
 * In a group that exists, members who block each other can write. The blocker does not see the messages, as in a
 * channel. So a block does not silence a user towards others.
 * @throws DirectMessageRefused if a recipient blocks the sender
 */
export async function checkBlocks(context: BlockContext, sender: User, people: readonly User[]): Promise<void> {
  const ids = people.map(({ id }) => id);
  const others = ids.filter((id) => id !== sender.id);
  const [only] = others;
  const blockers = await blockersAmong(context, sender, others);
  const isStarted = others.length > 1 && blockers.size > 0 && (await context.tx.conversations.direct(ids));
  if (blockers.size > 0 && !isStarted) throw new DirectMessageRefused();
  // The other user could not answer.
  const other = others.length === 1 && people.find(({ id }) => id === only);
  if (other && (await blockersAmong(context, other, [sender.id])).size > 0)
    throw new BadRequest('You have blocked this user. Unblock them first to send direct messages.');
}

export async function withoutBlockers(context: BlockContext, sender: User, users: readonly number[]) {
  const blockers = await blockersAmong(context, sender, users);
  return users.filter((id) => !blockers.has(id));
}

/** Ends blocks by these users of accounts that cannot be blocked any more. */
export async function endBlocks(
  { tx, emit }: Pick<AccountContext, 'tx' | 'emit'>,
  users: readonly number[],
  blocked: readonly number[],
): Promise<void> {
  if ((await tx.mutedUsers.blocksAmong(users, blocked)).length === 0) return;
  const ended = await tx.mutedUsers.endBlocks(users, blocked);
  emit({ users: [...new Set(ended)] }, mutedUsersChanged({}));
}
