import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { markInParts } from './mark-in-parts.ts';

export const markChannelRead = defineOperation({
  name: 'messages.markChannelRead',
  http: 'POST /mark_stream_as_read',
  summary: 'Mark all messages in a channel as read',
  example: { stream_id: 3 },
  access: 'user',
  forRooms: true,
  effect: 'manual',
  params: { stream_id: id },
  async run(manual, { stream_id }) {
    await markInParts(manual, async (context) => {
      const { channel } = await context.viewer.channel(stream_id, { archived: true });
      return { channel_id: channel.id };
    });
  },
});
