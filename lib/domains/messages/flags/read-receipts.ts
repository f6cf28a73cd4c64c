import * as v from 'valibot';
import { accessMessage } from '../../../access/messages.ts';
import { BadRequest } from '../../../base/errors.ts';
import { describe, id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';

export const listReadReceipts = defineOperation({
  name: 'messages.readReceipts',
  http: 'GET /messages/{message_id}/read_receipts',
  summary: 'List the users who have read a message',
  description: 'Leaves out the sender and users who have turned off read receipts.',
  example: { message_id: 7 },
  access: 'user',
  params: { message_id: id },
  result: v.object({ user_ids: describe(v.array(v.number()), 'Sorted user IDs.') }),
  extent: () => 'large',
  async run(context, { message_id }) {
    const { tx, organization } = context;
    const message = await accessMessage(context, message_id);
    if (!organizationSetting(organization, 'enable_read_receipts')) {
      throw new BadRequest('This organization has turned off read receipts.');
    }
    const readers = (await tx.readState.readersOf(message.id)).filter((id) => id !== message.sender_id);
    const users = await tx.users.byIds(readers);
    return { user_ids: users.filter((user) => user.settings.send_read_receipts !== false).map((user) => user.id) };
  },
});
