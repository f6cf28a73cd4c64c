import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { describe, id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';

export const listReadReceipts = defineOperation({
  name: 'messages.readReceipts',
  http: 'GET /messages/{message_id}/read_receipts',
  summary: 'List the users who have read a message',
  description:
    'Leaves out the sender, users who have turned off read receipts, users that you have muted, and users who have muted you or the sender.',
  example: { message_id: 7 },
  access: 'user',
  params: { message_id: id },
  result: v.object({ user_ids: describe(v.array(v.number()), 'Sorted user IDs.') }),
  extent: () => 'large',
  async run(context, { message_id }) {
    const { tx, actor, organization } = context;
    const message = await context.viewer.message(message_id);
    if (!organizationSetting(organization, 'enable_read_receipts')) {
      throw new BadRequest('This organization has turned off read receipts.');
    }
    const [readers, muted, muters, mutersOfSender] = await Promise.all([
      tx.readState.readersOf(message.id),
      tx.mutedUsers.of(actor.id),
      tx.mutedUsers.mutersOf(actor.id),
      // Messages of muted users count as read at once: these readers would show who has muted the sender.
      tx.mutedUsers.mutersOf(message.sender_id),
    ]);
    const leftOut = new Set([message.sender_id, ...muted.map(({ id }) => id), ...muters, ...mutersOfSender]);
    const users = await tx.users.byIds(readers.filter((id) => !leftOut.has(id)));
    return { user_ids: users.filter((user) => user.settings.send_read_receipts !== false).map((user) => user.id) };
  },
});
