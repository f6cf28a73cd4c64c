import * as v from 'valibot';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { externalIdEntries, externalIdFor, externalIdParams } from '../../../views/external-ids.ts';
import { channelObject, channelViews } from '../channel-view.ts';

export const getChannel = defineOperation({
  name: 'channels.get',
  http: 'GET /streams/{stream_id}',
  summary: 'Get a channel by its ID',
  description: 'Also returns archived channels.',
  example: { stream_id: 3 },
  access: 'user',
  forRooms: true,
  params: { stream_id: id, ...externalIdParams },
  result: v.object({ stream: v.object({ ...channelObject.entries, ...externalIdEntries }) }),
  async run(context, { stream_id, ...options }) {
    const { channel } = await context.viewer.channel(stream_id, { archived: true });
    const view = (await channelViews(context)).of(channel);
    return { stream: { ...view, ...externalIdFor(context.actor, options, channel) } };
  },
});
