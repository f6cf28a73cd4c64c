import * as v from 'valibot';
import { BadRequest, DirectMessageRefused } from '../../base/errors.ts';
import { allInOrder, groupBy } from '../../base/lists.ts';
import { describe } from '../../base/schemas.ts';
import { defineEvent } from '../../events/define-event.ts';
import type { Channel } from '../../model/channels.ts';
import type { User } from '../../model/users.ts';
import { channelPermission, isRoom } from '../../rules/channels.ts';
import { hasPermission } from '../../rules/permissions.ts';
import { MODERATOR } from '../../rules/roles.ts';
import type { Block } from '../../storage/interface/personal.ts';
import { usersWithPermission } from '../../viewer/audiences.ts';
import type { ReadContext, TransactionContext, WriteContext } from '../../viewer/context.ts';
import { viewerOf } from '../../viewer/viewer.ts';

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
    (await allInOrder(accounts.map((account) => services.muters.of(tx, readersVersion, account, afterCommit)))).flat(),
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

/**
 * A reaction or an edit would reach the blocker like a message. A blocked user can still take back what is theirs.
 * @throws DirectMessageRefused in a conversation of two, if the other user blocks this one
 */
export async function checkMayReach(
  context: BlockContext,
  actor: User,
  participants: readonly number[],
): Promise<void> {
  const others = participants.filter((id) => id !== actor.id);
  if (others.length === 1 && (await blockersAmong(context, actor, others)).size > 0) throw new DirectMessageRefused();
}

export async function withoutBlockers(context: BlockContext, sender: User, users: readonly number[]) {
  const blockers = await blockersAmong(context, sender, users);
  return users.filter((id) => !blockers.has(id));
}

const staffOf = (room: Channel) => channelPermission(room, 'can_administer_channel_group');

/**
 * Of these blocks, those that are not allowed: of moderators, of the staff of a room of the blocker, and of their bots.
 * Bots without an owner are those of the organization.
 */
export async function forbiddenBlocks(context: ReadContext, blocks: readonly Block[]): Promise<Block[]> {
  const { tx } = context;
  const accounts = await tx.users.byIds(blocks.map(({ blocked_id }) => blocked_id));
  const owners = await tx.users.byIds(accounts.flatMap(({ bot_owner_id }) => bot_owner_id ?? []));
  const known = new Map([...owners, ...accounts].map((account) => [account.id, account]));
  const subscribed = await tx.subscriptions.byChannel([...new Set(blocks.map(({ user_id }) => user_id))]);
  const rooms = (await tx.channels.byIds([...subscribed.keys()])).filter(isRoom);
  const forbidden: Block[] = [];
  for (const [blockedId, own] of groupBy(blocks, ({ blocked_id }) => blocked_id)) {
    const account = known.get(blockedId);
    const person = known.get(account?.bot_owner_id ?? blockedId);
    if (!person || person.bot_type !== null || person.role <= MODERATOR) forbidden.push(...own);
    else {
      const membership = await viewerOf(context, person).membershipFor(rooms.map(staffOf));
      const served = rooms.filter((room) => hasPermission(staffOf(room), membership, { guests: false }));
      const customers = new Set(served.flatMap(({ id }) => subscribed.get(id) ?? []));
      forbidden.push(...own.filter(({ user_id }) => customers.has(user_id)));
    }
  }
  return forbidden;
}

/** Ends blocks of these accounts and their bots that are not allowed anymore, since a role, group or owner changed. */
export async function endForbiddenBlocks(context: WriteContext, accounts: readonly number[]): Promise<void> {
  const { tx, emit } = context;
  const blocks = await tx.mutedUsers.blocksOf(accounts);
  if (blocks.length === 0) return;
  const forbidden = await forbiddenBlocks(context, blocks);
  for (const [blockedId, own] of groupBy(forbidden, ({ blocked_id }) => blocked_id))
    await tx.mutedUsers.endBlocks(
      own.map(({ user_id }) => user_id),
      [blockedId],
    );
  const users = [...new Set(forbidden.map(({ user_id }) => user_id))];
  if (users.length > 0) emit({ users }, mutedUsersChanged({}));
}

/** The same for the staff of these rooms, since its setting or the customers changed. */
export async function endForbiddenBlocksIn(context: WriteContext, channels: readonly Channel[]): Promise<void> {
  const rooms = channels.filter(isRoom);
  if (rooms.length > 0)
    await endForbiddenBlocks(context, [...(await usersWithPermission(context, rooms.map(staffOf)))]);
}
