import { BadRequest } from '../../../base/errors.ts';
import { describe, id } from '../../../base/schemas.ts';
import type { User } from '../../../model/users.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { channelPermission, isRoom } from '../../../rules/channels.ts';
import { hasPermission } from '../../../rules/permissions.ts';
import { MODERATOR } from '../../../rules/roles.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { viewerOf } from '../../../viewer/viewer.ts';
import { mute } from '../muted-users/mute.ts';

export const blockUser = defineOperation({
  name: 'users.block',
  http: 'POST /users/me/blocked_users/{user_id}',
  summary: 'Block a user',
  description:
    'The blocked user and their bots cannot send you direct messages, nor start group conversations with you. Their messages arrive as read, and clients hide them. They do not notify you, and you do not see them typing. The user gets no notice. You cannot block moderators, administrators, owners and the staff of your rooms. Safe to repeat.',
  example: { user_id: 9 },
  access: 'user',
  effect: 'write',
  ownAccount: true,
  params: { user_id: describe(id, 'ID of the user to block.') },
  async run(context, { user_id }) {
    const { actor } = context;
    if (user_id === actor.id) throw new BadRequest('You cannot block yourself.');
    const user = await context.viewer.account(user_id);
    if (!(await mayBeBlocked(context, user))) {
      throw new BadRequest('You cannot block moderators, administrators, owners, and the staff of your rooms.');
    }
    await mute(context, user, { is_blocked: true });
  },
});

/** A bot is as its owner. Bots without an owner are those of the organization. */
async function mayBeBlocked({ tx, ...context }: AccountContext, user: User): Promise<boolean> {
  const person = user.bot_owner_id === null ? user : await tx.users.byId(user.bot_owner_id);
  if (!person || person.bot_type !== null || person.role <= MODERATOR) return false;
  const subscriptions = await tx.subscriptions.ofUser(context.actor.id);
  const rooms = (await tx.channels.byIds(subscriptions.map(({ channel_id }) => channel_id))).filter(isRoom);
  const staff = rooms.map((room) => channelPermission(room, 'can_administer_channel_group'));
  const membership = await viewerOf({ tx, ...context }, person).membershipFor(staff);
  return !staff.some((group) => hasPermission(group, membership, { guests: false }));
}
