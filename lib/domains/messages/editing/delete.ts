import { BadRequest } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isGrantedByEither } from '../../../rules/channels.ts';
import { isWithin, organizationSetting } from '../../../rules/organization-settings.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import { channelOf, messageAudience } from '../../../viewer/audiences.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { noteDeparture, removeMessages } from '../channel-activity.ts';
import { deletionOf } from './events.ts';

export const deleteMessage = defineOperation({
  name: 'messages.delete',
  http: 'DELETE /messages/{message_id}',
  summary: 'Permanently delete a message',
  description: 'You can delete your own messages for a limited time, and any message if you have permission.',
  example: { message_id: 7 },
  access: 'user',
  forRooms: true,
  effect: 'write',
  audited: 'noted',
  params: { message_id: id },
  async run(context, { message_id }) {
    const message = await context.viewer.message(message_id, 'modify');
    await checkDeletion(context, message);
    const audience = await messageAudience(context, message);
    await removeMessages(context, [message_id]);
    const { sender_id, channel_id: stream_id } = message;
    if (sender_id !== context.actor.id) context.audit({ sender_id, stream_id });
    context.emit(audience, deletionOf([message]));
    if (message.channel_id !== null)
      await noteDeparture(context, await channelOf(context, message.channel_id), message_id);
  },
});

/** Throws unless the caller may delete the message. The owner of a bot may delete messages of the bot. */
async function checkDeletion(context: AccountContext, message: PlacedMessage): Promise<void> {
  const { tx, actor, organization, now } = context;
  const membership = await context.viewer.membership();
  const channel = message.channel_id === null ? undefined : await tx.channels.byId(message.channel_id);
  const isGranted = (key: 'can_delete_any_message_group' | 'can_delete_own_message_group') =>
    isGrantedByEither(organization, membership, channel, { organization: key, channel: key });
  if (isGranted('can_delete_any_message_group')) return;
  if (message.sender_id !== actor.id) {
    const sender = await tx.users.byId(message.sender_id);
    if (sender?.bot_owner_id !== actor.id) throw new BadRequest('You are not allowed to delete this message.');
  }
  if (!isGranted('can_delete_own_message_group')) throw new BadRequest('You are not allowed to delete messages.');
  if (!isWithin(organizationSetting(organization, 'message_content_delete_limit_seconds'), message.timestamp, now)) {
    throw new BadRequest('This message is too old to be deleted.');
  }
}
